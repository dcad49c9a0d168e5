import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives the processes that tests start one place for compiled code, so that a run compiles each file once. */
export default function openCompileCache(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "suture-compiled-"));
  process.env.NODE_COMPILE_CACHE = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
