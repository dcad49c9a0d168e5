/** How the indentation of a quotation becomes that of the file: the same step for every line. */
export type Shift = {
  readonly remove: string;
  readonly add: string;
  /** One unit of the quotation, as it is written in the file. */
  readonly units?: { readonly quoted: string; readonly own: string };
};

/** Every shift that turns the indentation of each quoted line into that of the same line in the file. */
export function commonShifts(quoted: readonly string[], own: readonly string[]): Shift[] {
  let candidates: Shift[] | null = null;
  for (const [i, line] of quoted.entries()) {
    if (line.trim() === "") continue;
    const from = indentOf(line);
    const to = indentOf(own[i] ?? "");
    candidates =
      candidates === null
        ? possibleShifts(from, to)
        : candidates.filter((shift) => shiftIndent(from, shift) === to);
    if (candidates.length === 0) return [];
  }
  return candidates ?? [];
}

/** Units of indentation that correspond to each other. */
const spaces = [4, 2, 8, 3].map((count) => " ".repeat(count));
const unitPairs = [
  ...spaces.map((unit) => ({ quoted: unit, own: "\t" })),
  ...spaces.map((unit) => ({ quoted: "\t", own: unit })),
  ...spaces.flatMap((quoted) => spaces.filter((own) => own !== quoted).map((own) => ({ quoted, own }))),
];

function possibleShifts(from: string, to: string): Shift[] {
  const shifts: Shift[] = [];
  if (to.endsWith(from)) shifts.push({ remove: "", add: to.slice(0, to.length - from.length) });
  if (from.endsWith(to)) shifts.push({ remove: from.slice(0, from.length - to.length), add: "" });
  // Other units, perhaps some levels deeper.
  for (const units of unitPairs) {
    const level = levelOf(from, units.quoted);
    const own = level === null ? "" : units.own.repeat(level);
    if (level !== null && to.startsWith(own) && levelOf(to, units.own) !== null)
      shifts.push({ remove: "", add: to.slice(own.length), units });
  }
  return shifts;
}

/** How many units an indentation has; null where it is not made of them. */
function levelOf(indent: string, unit: string): number | null {
  const level = indent.length / unit.length;
  return Number.isInteger(level) && indent === unit.repeat(level) ? level : null;
}

function shiftIndent(indent: string, { remove, add, units }: Shift): string | null {
  if (!indent.startsWith(remove)) return null;
  const rest = indent.slice(remove.length);
  if (units === undefined) return add + rest;
  const level = levelOf(rest, units.quoted);
  return level === null ? null : add + units.own.repeat(level);
}

/** A line with the indentation of the lines around it; null where the shift cannot be applied to it. */
export function reindent(line: string, shift: Shift): string | null {
  if (line.trim() === "") return line;
  const indent = indentOf(line);
  const shifted = shiftIndent(indent, shift);
  return shifted === null ? null : shifted + line.slice(indent.length);
}

export function indentOf(line: string): string {
  return /^[\t \u00a0\u3000]*/.exec(line)![0];
}

/** The shift in words; empty where there is none. */
export function describeShift({ remove, add, units }: Shift): string {
  if (units !== undefined) return `${nameOf(units.own)} for ${nameOf(units.quoted)}`;
  if (add) return `+${JSON.stringify(add)}`;
  return remove ? `-${JSON.stringify(remove)}` : "";
}

function nameOf(unit: string): string {
  return unit === "\t" ? "a tab" : `${unit.length} spaces`;
}
