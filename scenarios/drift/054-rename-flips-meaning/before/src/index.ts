export interface WigeonOptions {
  /** Do not write a cache. */
  disableCache?: boolean;
  /** Folder of the cache. */
  cacheFolder?: string;
}

export function run(options: WigeonOptions): string {
  return options.disableCache ? "" : (options.cacheFolder ?? ".cache");
}
