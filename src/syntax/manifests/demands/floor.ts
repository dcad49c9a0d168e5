/** The least version that a range allows: `18.17` for `^18.17 || >=20`. Null where the range has no lower bound. */
export function floorOf(range: string): string | null {
  const floors = range.split(/\|\|?/).map(floorOfAll);
  if (floors.includes(null)) return null;
  return (floors as string[]).reduce((least, one) => (compareVersions(one, least) < 0 ? one : least));
}

/** The highest lower bound of conditions that hold together: `>=3.8,<4`, `1.2 - 2`. */
function floorOfAll(range: string): string | null {
  let floor: string | null = null;
  for (const [, sign = "", version] of range.matchAll(CONDITION)) {
    if (!LOWER.has(sign)) continue;
    if (floor === null || (sign !== "" && compareVersions(version!, floor) > 0)) floor = version!;
  }
  return floor;
}

const CONDITION = /([<>=!~^]*)\s*v?(\d+(?:\.\d+)*)/g;
const LOWER: ReadonlySet<string> = new Set(["", ">=", "^", "~", "~>", "~=", "=", "=="]);

/** Below zero where the first version is lower. Missing numbers are zeros. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one.split("."), other.split(".")];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = Number(left[at] ?? 0) - Number(right[at] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
