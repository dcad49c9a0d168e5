export interface PintailOptions {
  /** Lines to print. */
  lineCount?: number;
}

export function print(options: PintailOptions): number {
  return options.lineCount ?? 10;
}
