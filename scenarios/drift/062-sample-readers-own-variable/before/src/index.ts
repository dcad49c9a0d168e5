export function openLedgerFile(path: string): string {
  return path;
}
