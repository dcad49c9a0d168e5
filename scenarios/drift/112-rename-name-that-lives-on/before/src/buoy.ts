export class Buoy {
  /** Reads the sensor. */
  readDepth(): number {
    return 5;
  }
}
