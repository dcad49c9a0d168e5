/** Measures a wall. */
export function measureWall(width: number): number {
  return width;
}

/** Measures any surface. */
export function measureSurface(width: number, height: number): number {
  return width * height;
}
