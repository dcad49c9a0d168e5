export function motor(gear: string): string {
  return gear;
}
