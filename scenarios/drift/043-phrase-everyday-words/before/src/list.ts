export function first(items: string[]): string {
  for (const item of items) if (item) return item;
  return "";
}
