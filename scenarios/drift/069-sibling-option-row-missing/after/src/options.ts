export class PuffinOptions {
  /** Seconds to wait for an answer. */
  timeout: number = 30;
  /** Attempts before giving up. */
  attempts: number = 3;
  /** Lines to keep in memory. */
  backlog: number = 100;
  /** Connections to hold at once. */
  poolSize: number = 5;
  /** Host to connect to. */
  hostname: string = "localhost";
}
