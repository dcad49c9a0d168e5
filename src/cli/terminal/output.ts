import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { refuseLinks } from "../../workspace/files/report-file.ts";

/** Appends to a file that the CI host provides. */
export function appendOutput(name: string, text: string): Outcome<true> {
  const fs = process.getBuiltinModule("node:fs");
  const path = process.getBuiltinModule("node:path");
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = fs.constants;
  try {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    const file = fs.openSync(name, O_WRONLY | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0), 0o644);
    try {
      fs.writeFileSync(file, text);
    } finally {
      fs.closeSync(file);
    }
    return accept(true);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return refuse({ code: "unavailable", detail: `cannot write ${name} (${code})` });
  }
}

/** Writes a file that a caller has made for the result, in place: its mode stays. Links of this folder are not followed. */
export function writeOutput(name: string, bytes: Uint8Array): Outcome<true> {
  const link = refuseLinks(name, ".");
  if (!link.ok) return link;
  try {
    process.getBuiltinModule("node:fs").writeFileSync(name, bytes);
    return accept(true);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return refuse({ code: "unavailable", detail: `cannot write ${name} (${code})` });
  }
}
