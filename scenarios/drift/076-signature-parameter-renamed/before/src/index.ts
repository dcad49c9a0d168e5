export function writeReport(report: string, destination: string): string {
  return report + destination;
}
