export class Buoy {
  /** Drops the anchor at a depth. */
  dropAnchor(depth: number): this;
  /** @deprecated pass a function */
  dropAnchor(pattern: RegExp, depth: number): this;
}
