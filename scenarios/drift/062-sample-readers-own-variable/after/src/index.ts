export function loadLedgerFile(name: string): string {
  return name;
}
