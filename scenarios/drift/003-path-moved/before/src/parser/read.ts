export function read(text: string): string[] {
  return text.split("\n");
}
