/**
 * Every place of `needle` in `text` from `from` on, overlaps included, in order. Stops when `found` returns
 * false. Time is linear in the text for every needle. `indexOf` is quadratic for needles that are periodic and longer
 * than its tables, so it searches only for a piece of the needle; if that piece matches too often in vain,
 * `scanLinear` takes over.
 */
export function scan(text: string, needle: string, from: number, found: (start: number) => boolean): void {
  if (needle.length === 0 || needle.length > text.length - from) return;
  const probe = rarestStretch(needle);
  const probeText = needle.slice(probe, probe + probeLength);
  let budget = 4 * (text.length - from) + 64 * probeLength;
  // A slice is compared faster than `startsWith` compares.
  for (let at = text.indexOf(probeText, from + probe); at >= 0; at = text.indexOf(probeText, at + 1)) {
    const start = at - probe;
    if (needle.length <= probeLength || text.slice(start, start + needle.length) === needle) {
      if (!found(start)) return;
    }
    budget -= needle.length + callCost;
    if (budget < 0) {
      scanLinear(text, needle, start + 1, found);
      return;
    }
  }
}

/** The longer the piece, the further `indexOf` skips; up to 250 characters its time is linear in V8. */
const probeLength = 128;

/** Start of the stretch of the needle whose characters are rarest in prose and code, by a few stretches and samples. */
function rarestStretch(needle: string): number {
  const last = needle.length - probeLength;
  if (last <= 0) return 0;
  let best = 0;
  let bestSum = -1;
  for (let i = 0; i < stretchesTried; i++) {
    const start = Math.floor((last * i) / (stretchesTried - 1));
    let sum = 0;
    for (let at = 0; at < probeLength; at += sampleStep) sum += rarity(needle.charCodeAt(start + at));
    if (sum > bestSum) {
      bestSum = sum;
      best = start;
    }
  }
  return best;
}

/** What one call of `indexOf` costs, in characters compared. */
const callCost = 16;

const stretchesTried = 4;
const sampleStep = 8;

function rarity(unit: number): number {
  if (unit <= 32) return 0;
  if (unit >= 97 && unit <= 122) return 2;
  return unit < 128 ? 3 : 4;
}

/** The algorithm of Knuth, Morris and Pratt: reads each character once. */
function scanLinear(text: string, needle: string, from: number, found: (start: number) => boolean): void {
  const borders = new Int32Array(needle.length);
  for (let i = 1, k = 0; i < needle.length; i++) {
    while (k > 0 && needle.charCodeAt(i) !== needle.charCodeAt(k)) k = borders[k - 1]!;
    if (needle.charCodeAt(i) === needle.charCodeAt(k)) k++;
    borders[i] = k;
  }
  for (let i = from, k = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (k > 0 && unit !== needle.charCodeAt(k)) k = borders[k - 1]!;
    if (unit === needle.charCodeAt(k)) k++;
    if (k === needle.length) {
      if (!found(i - k + 1)) return;
      k = borders[k - 1]!;
    }
  }
}
