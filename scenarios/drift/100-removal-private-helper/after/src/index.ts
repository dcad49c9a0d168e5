export function report(value: number): string {
  return `${value} m`;
}
