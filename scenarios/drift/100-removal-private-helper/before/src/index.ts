function formatGauge(value: number): string {
  return `${value} m`;
}

export function report(value: number): string {
  return formatGauge(value);
}
