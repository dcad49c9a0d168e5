export function readFeed(url: string): string {
  return url;
}

export function flattenFeed(feed: string): string[] {
  return feed.split("\n");
}
