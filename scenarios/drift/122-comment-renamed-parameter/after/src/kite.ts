/**
 * Lets a kite rise.
 *
 * @param line - how much line it gets, in metres
 */
export function rise(length: number): number {
  return length * 0.8;
}
