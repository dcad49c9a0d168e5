export interface PintailOptions {
  /** Lines to print. */
  maxLines?: number;
}

export function print(options: PintailOptions): number {
  return options.maxLines ?? 10;
}
