export interface WigeonOptions {
  /** Write a cache. */
  enableCache?: boolean;
  /** Folder of the cache. */
  cacheFolder?: string;
}

export function run(options: WigeonOptions): string {
  return options.enableCache ? (options.cacheFolder ?? ".cache") : "";
}
