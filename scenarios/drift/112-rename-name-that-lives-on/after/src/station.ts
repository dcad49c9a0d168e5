export class Station {
  /** Reads the gauge. */
  measureDepth(): number {
    return 3;
  }
}
