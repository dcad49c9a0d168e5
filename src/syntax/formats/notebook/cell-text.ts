import type { Region } from "../../../text/model/region.ts";

/** A stretch of a cell's text, and the stretch of the JSON that writes it. */
type CellSegment = {
  readonly start: number;
  readonly rawStart: number;
  readonly rawEnd: number;
  /** Whether both are equal, character by character; an escape counts as one character. */
  readonly verbatim: boolean;
};

/** The text of one notebook cell, with the place of every character in the JSON that writes it. */
export class CellText {
  text = "";
  readonly #segments: CellSegment[] = [];

  /** Adds the JSON string between two quotes of `json`. */
  append(json: string, { start, end }: Region): void {
    for (let at = start; at < end; ) {
      const backslash = json.indexOf("\\", at);
      const stop = backslash < 0 || backslash > end ? end : backslash;
      if (stop > at) this.#add(json.slice(at, stop), { rawStart: at, rawEnd: stop, verbatim: true });
      if (stop === end) return;
      const length = json[stop + 1] === "u" ? 6 : 2;
      const rawEnd = Math.min(stop + length, end);
      this.#add(unescaped(json.slice(stop, rawEnd)), { rawStart: stop, rawEnd, verbatim: false });
      at = rawEnd;
    }
  }

  #add(text: string, place: Omit<CellSegment, "start">): void {
    this.#segments.push({ start: this.text.length, ...place });
    this.text += text;
  }

  /** The region of the JSON for a region of the cell's text; a region over several strings includes the JSON between them. */
  locate({ start, end }: Region): Region | undefined {
    const first = this.#segmentAt(start);
    const last = end > start ? this.#segmentAt(end - 1) : first;
    if (!first || !last) return undefined;
    const rawStart = start >= this.text.length ? first.rawEnd : rawAt(first, start);
    const rawEnd = last.verbatim ? last.rawStart + (end - last.start) : last.rawEnd;
    return { start: rawStart, end: end > start ? rawEnd : rawStart };
  }

  #segmentAt(offset: number): CellSegment | undefined {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#segments[middle]!.start <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#segments[low - 1];
  }
}

function rawAt(segment: CellSegment, offset: number): number {
  return segment.verbatim ? segment.rawStart + (offset - segment.start) : segment.rawStart;
}

/** The one character that an escape of JSON writes. */
function unescaped(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written.slice(0, 1);
  }
}
