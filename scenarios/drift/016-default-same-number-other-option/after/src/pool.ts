export interface PoolOptions {
  maxSockets?: number;
  maxRedirects?: number;
}

export function createPool({ maxSockets = 20, maxRedirects = 10 }: PoolOptions) {
  return { maxSockets, maxRedirects };
}
