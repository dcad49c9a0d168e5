import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";

/** Reads a text that an argument names: standard input for `-`, otherwise any file. */
export async function readInput(name: string): Promise<Outcome<string>> {
  const bytes = name === "-" ? await readStandardInput() : readBytes(name);
  if (!(bytes instanceof Uint8Array)) return bytes;
  try {
    return accept(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return refuse({
      code: "malformed",
      what: `${name === "-" ? "standard input" : `the file ${name}`} is not valid UTF-8`,
    });
  }
}

async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The bytes of a file, or of a descriptor of the caller. A pipe or device that a folder has may have no end. */
export function readBytes(name: string): Uint8Array | Outcome<never> {
  const fs = process.getBuiltinModule("node:fs");
  try {
    const isOwn = name.startsWith("/dev/") || name.startsWith("/proc/");
    if (!isOwn && !fs.statSync(name).isFile())
      return refuse({ code: "malformed", what: `cannot read ${name} (it is not a file)` });
    return fs.readFileSync(name);
  } catch (error) {
    return refuse({
      code: "malformed",
      what: `cannot read ${name} (${(error as NodeJS.ErrnoException).code})`,
    });
  }
}
