export function buildForecast(days: number): number[] {
  return Array.from({ length: days }, (_, day) => day);
}
