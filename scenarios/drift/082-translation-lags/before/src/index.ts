export interface PintailOptions {
  /** Lines to print. */
  lineLimit?: number;
}

export function print(options: PintailOptions): number {
  return options.lineLimit ?? 10;
}
