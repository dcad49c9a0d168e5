/** A changelog in the form of Keep a Changelog: a section for each version, the newest first. */
const open = "## Unreleased";

/** The changelog with everything unreleased moved under `version`, and an empty section for the next one. */
export function cutVersion(changelog: string, version: string, date: string): string {
  if (locateSection(changelog, version)) throw new Error(`CHANGELOG.md already has a section ${version}`);
  const section = locateSection(changelog, "Unreleased");
  if (!section || section.text === "")
    throw new Error("CHANGELOG.md has nothing under Unreleased: there is nothing to release");
  const rest = changelog.slice(section.end);
  const cut = `${open}\n\n## ${version} (${date})\n\n${section.text}\n`;
  return `${changelog.slice(0, section.start)}${cut}${rest === "" ? "" : `\n${rest}`}`;
}

/** What the changelog says about one version, without its heading: the text of a release. */
export function notesOf(changelog: string, version: string): string {
  const section = locateSection(changelog, version);
  if (!section || section.text === "") throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return section.text;
}

type Section = { readonly start: number; readonly end: number; readonly text: string };

function locateSection(changelog: string, name: string): Section | undefined {
  const headings = [...changelog.matchAll(/^## (\S+).*$/gm)];
  const at = headings.findIndex((heading) => heading[1] === name);
  const heading = headings[at];
  if (!heading) return undefined;
  const end = headings[at + 1]?.index ?? changelog.length;
  return { start: heading.index, end, text: changelog.slice(heading.index + heading[0].length, end).trim() };
}
