export type LogLevel = "silent" | "warn" | "info" | "debug";

export interface SextantOptions {
  logLevel?: LogLevel;
}

export function createSextant(options: SextantOptions): SextantOptions {
  return options;
}
