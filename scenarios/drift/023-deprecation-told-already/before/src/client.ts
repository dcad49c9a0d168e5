export interface ClientOptions {
  /** Milliseconds. */
  requestTimeout?: number;
  /** Seconds. */
  deadline?: number;
}
