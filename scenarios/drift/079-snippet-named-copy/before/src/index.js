export function listen(options) {
  return { on: () => options };
}
