import { accept, type Outcome, refuse } from "../text/outcome.ts";
import { codeOf } from "./files.ts";

/** Writes a file that a person named for a report, wherever it lies, whole or not at all. */
export function writeReportFile(path: string, text: string): Outcome<true> {
  const fs = process.getBuiltinModule("node:fs");
  const draft = `${path}.${process.getBuiltinModule("node:crypto").randomBytes(6).toString("hex")}.draft`;
  try {
    fs.writeFileSync(draft, text, { flag: "wx", mode: 0o644 });
    fs.renameSync(draft, path);
    return accept(true);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    return refuse({ code: "unavailable", detail: `${path} cannot be written: ${codeOf(error)}` });
  }
}
