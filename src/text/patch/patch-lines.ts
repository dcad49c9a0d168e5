/**
 * The lines of a patch. If the first line that `marks` accepts ends with CR, the patch itself was sent with CRLF, and a CR
 * at the end of a line does not belong to it.
 */
export function splitPatch(patch: string, marks: (line: string) => boolean): string[] {
  const lines = patch.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.find(marks)?.endsWith("\r")
    ? lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
    : lines;
}
