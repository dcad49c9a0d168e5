export const defaults = {
  timeoutSeconds: 30,
};

export function fetchPage(url: string) {
  return url;
}
