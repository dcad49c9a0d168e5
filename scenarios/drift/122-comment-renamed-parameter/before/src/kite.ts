/**
 * Lets a kite rise.
 *
 * @param line - how much line it gets, in metres
 */
export function rise(line: number): number {
  return line * 0.8;
}
