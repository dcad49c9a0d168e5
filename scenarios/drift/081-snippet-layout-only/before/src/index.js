export function parseLine(line, { separator }) {
  return { columns: line.split(separator) };
}
