/** Lines at the bottom of a terminal that are redrawn in place. All other output goes above them. */
export type LiveArea = {
  /** Replaces the lines; no lines end the area. */
  show(lines: readonly string[]): void;
  /** Writes something that stays. */
  above(write: () => void): void;
  /** Hides the lines while a person types an answer there. */
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
    // Lines above the window cannot be erased. A terminal without a known size reports 0.
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
