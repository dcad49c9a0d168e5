export interface PoolOptions {
  maxSockets?: number;
  maxRedirects?: number;
}

export function createPool({ maxSockets = 10, maxRedirects = 10 }: PoolOptions) {
  return { maxSockets, maxRedirects };
}
