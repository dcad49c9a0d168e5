export function startLoop() {
  const depth = 1;
  return { depth };
}
