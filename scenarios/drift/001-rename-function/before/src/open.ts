/** Opens a document. */
export function openDocument(path: string): string {
  return path;
}
