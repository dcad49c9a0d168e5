/** Lines at the bottom of a terminal that are drawn anew in place; whatever else is written goes above them. */
export type LiveArea = {
  /** The lines from now on; none ends it. */
  show(lines: readonly string[]): void;
  /** Writes something that stays. */
  above(write: () => void): void;
  /** Takes the lines away until the answer is there: a person is typing where they would stand. */
  aside<T>(work: () => Promise<T>): Promise<T>;
};

export function openLiveArea(stream: {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}): LiveArea {
  let lines: readonly string[] = [];
  let drawn = 0;
  let away = 0;

  const erased = (): string => (drawn === 0 ? "" : `\u001b[${drawn}A\u001b[0J`);
  const drawing = (): string => {
    // More lines than the window has could not be taken back. A terminal that knows no size says 0.
    const shown = away > 0 ? [] : lines.slice(0, Math.max(1, (stream.rows || 24) - 2));
    drawn = shown.length;
    return shown.map((line) => `${cut(line, (stream.columns || 80) - 1)}\n`).join("");
  };
  const redraw = (): void => {
    const before = erased();
    const text = before + drawing();
    if (text !== "") stream.write(text);
  };
  return {
    show: (next) => {
      lines = next;
      redraw();
    },
    above: (write) => {
      if (drawn > 0) stream.write(erased());
      drawn = 0;
      write();
      redraw();
    },
    aside: async (work) => {
      away++;
      redraw();
      try {
        return await work();
      } finally {
        away--;
        redraw();
      }
    },
  };
}

function cut(line: string, width: number): string {
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}
