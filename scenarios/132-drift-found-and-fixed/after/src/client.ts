export const defaults = {
  timeoutSeconds: 30,
};

export function loadPage(url: string) {
  return url;
}
