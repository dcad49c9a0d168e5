import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonSchemaType } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { afterAll, describe, expect, test } from "vitest";
import { findProgram, findValidator, manifestsWithSchema, realClients, schemaFile } from "./real-clients.ts";

const home = mkdtempSync(join(tmpdir(), "suture-manifests-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs a validator without the settings of this machine's user. */
function run(command: string, ...words: readonly string[]): { readonly status: number | null; said: string } {
  const env = { PATH: process.env.PATH, HOME: home };
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: "utf8", env });
  return { status, said: `${stdout}${stderr}` };
}

const claude = findProgram(realClients.claude);
const gemini = findProgram(realClients.gemini);
const mcpb = findValidator("mcpb");

if (!claude) console.log("skipped: claude plugin validate: claude is not fetched (npm run clients)");
describe.skipIf(!claude)("Claude Code's own validator", () => {
  test.each(["plugin", "plugin/with-hooks", ".claude-plugin/marketplace.json"])("accepts %s", (path) => {
    const { status, said } = run(claude!, "plugin", "validate", "--strict", path);
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining("Validation passed") });
  });
});

if (!gemini) console.log("skipped: gemini extensions validate: gemini is not fetched (npm run clients)");
test.skipIf(!gemini)("Gemini CLI's own validator accepts its extension", () => {
  const { status, said } = run(process.execPath, gemini!, "extensions", "validate", "plugin/gemini");
  expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining("successfully validated") });
});

if (!mcpb) console.log("skipped: mcpb validate: mcpb is not fetched (npm run clients)");
test.skipIf(!mcpb)("the validator of MCP bundles accepts the manifest of the bundle", () => {
  const { status, said } = run(process.execPath, mcpb!, "validate", "plugin/mcpb/manifest.json");
  expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining("passes") });
});

describe("the published JSON schema", () => {
  for (const path of manifestsWithSchema) {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as { readonly $schema: string };
    const file = schemaFile(manifest.$schema);
    const isThere = existsSync(file);
    if (!isThere) console.log(`skipped: the schema of ${path}: ${manifest.$schema} is not fetched`);
    test.skipIf(!isThere)(`accepts ${path}`, () => {
      const schema = JSON.parse(readFileSync(file, "utf8")) as JsonSchemaType;
      expect(new AjvJsonSchemaValidator().getValidator(schema)(manifest)).toMatchObject({ valid: true });
    });
  }
});
