/** How the indentation of a quotation becomes that of the file: the same step for every line. */
export type Shift = {
  readonly remove: string;
  readonly add: string;
  /** One unit of the quotation, as it is written in the file. */
  readonly units?: { readonly quoted: string; readonly own: string };
  /** Lines without indentation stay so. */
  readonly keepsMargin?: true;
};

type Indents = { readonly from: string; readonly to: string };

/** Every shift that turns the indentation of each quoted line into that of the same line in the file. */
export function commonShifts(quoted: readonly string[], own: readonly string[]): Shift[] {
  const indents = quoted.flatMap((line, i): Indents[] =>
    line.trim() === "" ? [] : [{ from: indentOf(line), to: indentOf(own[i] ?? "") }],
  );
  const shifts = shiftsOfAll(indents);
  const [margin, inner] = [true, false].map((isMargin) =>
    indents.filter(({ from }) => (from === "") === isMargin),
  ) as [Indents[], Indents[]];
  if (margin.length === 0 || margin.some(({ to }) => to !== "")) return shifts;
  return [...shifts, ...shiftsOfAll(inner).map((shift) => ({ ...shift, keepsMargin: true }) as const)];
}

function shiftsOfAll([first, ...others]: readonly Indents[]): Shift[] {
  if (!first) return [];
  return possibleShifts(first).filter((shift) =>
    others.every(({ from, to }) => shiftIndent(from, shift) === to),
  );
}

/** Units of indentation that correspond to each other. */
const spaces = [4, 2, 8, 1].map((count) => " ".repeat(count));
const unitPairs = [
  ...spaces.map((unit) => ({ quoted: unit, own: "\t" })),
  ...spaces.map((unit) => ({ quoted: "\t", own: unit })),
  ...spaces.flatMap((quoted) => spaces.filter((own) => own !== quoted).map((own) => ({ quoted, own }))),
];

function possibleShifts({ from, to }: Indents): Shift[] {
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

function shiftIndent(indent: string, { remove, add, units, keepsMargin }: Shift): string | null {
  if (keepsMargin && indent === "") return "";
  if (!indent.startsWith(remove)) return null;
  const rest = indent.slice(remove.length);
  if (units === undefined) return add + rest;
  const level = levelOf(rest, units.quoted);
  return level === null ? null : add + units.own.repeat(level);
}

/**
 * Whether the quoted lines bear a shift out for a new line. A line with less indentation than any of them may begin a
 * new block at the margin. Spaces that grow with the depth are often aligned by hand, unless the line is one unit deeper
 * than the one above. Other blanks than those of the quotation are not shifted, and a line of blanks tells nothing.
 */
export function isWithinReach(
  line: string,
  { remove, add, units }: Shift,
  { quoted, above }: { readonly quoted: readonly string[]; readonly above: string | undefined },
): boolean {
  if ((remove + add === "" && !units) || line === "") return true;
  if (line.trim() === "") return false;
  const filled = quoted.filter((each) => each.trim() !== "");
  const depths = filled.map((each) => indentOf(each).length);
  const depth = indentOf(line).length;
  if (depth > 0 && add[0] !== line[0] && !filled.some((each) => each[0] === line[0])) return false;
  if (depth < Math.min(...depths)) return false;
  const isSpaced = units !== undefined && units.own !== "\t" && units.quoted !== "\t";
  return (
    !isSpaced ||
    depth <= (above === undefined ? Math.max(...depths) : indentOf(above).length + units.quoted.length)
  );
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
