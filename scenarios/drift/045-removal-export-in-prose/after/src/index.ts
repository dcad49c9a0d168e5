export function readFeed(url: string): string {
  return url;
}
