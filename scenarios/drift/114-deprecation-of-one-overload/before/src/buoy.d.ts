export class Buoy {
  /** Drops the anchor at a depth. */
  dropAnchor(depth: number): this;
  dropAnchor(pattern: RegExp, depth: number): this;
}
