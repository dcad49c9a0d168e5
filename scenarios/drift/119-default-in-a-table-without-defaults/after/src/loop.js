export function startLoop() {
  const depth = 0;
  return { depth };
}
