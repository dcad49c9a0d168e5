export function first(entrys: string[]): string {
  for (const entry of entrys) if (entry) return entry;
  return "";
}
