/** Opens a document. */
export function loadDocument(path: string): string {
  return path;
}
