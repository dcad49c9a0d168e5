/** Random bytes as hexadecimal digits, from the system's own source where it is a file: Node's takes long to load. */
export function randomHex(count: number): string {
  const fs = process.getBuiltinModule("node:fs");
  try {
    const file = fs.openSync("/dev/urandom", "r");
    try {
      const bytes = Buffer.alloc(count);
      if (fs.readSync(file, bytes) === count) return bytes.toString("hex");
    } finally {
      fs.closeSync(file);
    }
  } catch {
    // Windows has no such file.
  }
  return process.getBuiltinModule("node:crypto").randomBytes(count).toString("hex");
}
