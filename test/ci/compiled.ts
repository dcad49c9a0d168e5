import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Where the processes of one test file keep what they have compiled, so that each compiles it once. */
export const compiled = mkdtempSync(join(tmpdir(), "suture-compiled-"));

process.env.NODE_COMPILE_CACHE = compiled;
afterAll(() => rmSync(compiled, { recursive: true, force: true }));
