/** Random bytes as hexadecimal digits. */
export function randomHex(count: number): string {
  return process.getBuiltinModule("node:crypto").randomBytes(count).toString("hex");
}
