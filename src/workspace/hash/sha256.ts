/** SHA-256 as hexadecimal digits. Node's cryptography is loaded on demand: an import would slow every command's start. */
export function sha256(input: string | Uint8Array): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", input, "hex");
}
