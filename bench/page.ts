/** A section of the page of benchmarks: all of it, and the sentences below what the benchmark printed. */
export type PageSection = { readonly text: string; readonly notes: string };

/** The sections of a page, by their titles. Printed output may have lines that look like titles. */
export function readSections(page: string): ReadonlyMap<string, PageSection> {
  const sections = new Map<string, PageSection>();
  let title: string | null = null;
  let [lines, notes]: [string[], string[]] = [[], []];
  let fences = 0;
  const end = (): void => {
    if (title !== null) sections.set(title, { text: `${join(lines)}\n`, notes: join(notes) });
  };
  for (const line of page.split("\n")) {
    const isFence = line.startsWith("```");
    if (fences % 2 === 0 && line.startsWith("## ")) {
      end();
      title = line.slice(3);
      [lines, notes, fences] = [[], [], 0];
    }
    lines.push(line);
    if (fences >= 2) notes.push(line);
    if (isFence) fences++;
  }
  end();
  return sections;
}

function join(lines: readonly string[]): string {
  return lines.join("\n").trim();
}
