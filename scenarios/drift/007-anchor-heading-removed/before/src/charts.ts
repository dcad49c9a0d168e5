export function drawChart(sheet: string): string {
  return sheet;
}
