/** The nearest heading or declaration above an offset, as a person would name the place. */
export function nearestName(text: string, offset: number): string | undefined {
  let end = text.lastIndexOf("\n", Math.max(0, offset - 1));
  // The line the offset is in counts too when it is itself a heading.
  const own = lineFrom(text, end + 1);
  if (isHeading(own)) return own.trim();
  let code: string | undefined;
  for (let looked = 0; end >= 0 && looked < farthest; looked++) {
    const start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    if (end - start <= longestName) {
      const line = text.slice(start, end).trimEnd();
      if (isHeading(line)) return line.trim();
      code ??= declaration.test(line) ? line.trim().replace(/\s*[{:(=].*$/s, "") : undefined;
    }
    end = start - 1;
  }
  return code;
}

const farthest = 2000;
const longestName = 200;
const declaration =
  /^\s*(?:export\s+|default\s+|pub(?:\([a-z]+\))?\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|async\s+|final\s+|override\s+)*(?:function|class|def|fn|func|interface|type|struct|enum|impl|trait|module|namespace|object|const)\b/;

function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}\s+\S/.test(line) || /^={2,6} \S/.test(line);
}

function lineFrom(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + longestName)).trimEnd();
}
