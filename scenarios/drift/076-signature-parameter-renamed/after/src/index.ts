export function writeReport(report: string, outputFolder: string): string {
  return report + outputFolder;
}
