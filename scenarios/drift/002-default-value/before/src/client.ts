export type Options = {
  /** Seconds before a request is given up. */
  timeout?: number;
};

export function connect(url: string, { timeout = 30 }: Options = {}): string {
  return `${url} ${timeout}`;
}
