export interface ClientOptions {
  /** @deprecated Use `deadline` instead. */
  requestTimeout?: number;
  /** Seconds. */
  deadline?: number;
}
