import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { GRAMMARS as SHIPPED } from "../languages/registry.ts";
import { readGrammar } from "./grammars.ts";

const BY_NAME = new Map(SHIPPED.map((grammar) => [grammar.name, grammar]));
const GRAMMARS = [...BY_NAME.keys()];

test.each(GRAMMARS)("the %s grammar has the bytes that were reviewed", async (name) => {
  const grammar = BY_NAME.get(name)!;
  const bytes = await readGrammar(grammar);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(grammar.sha256);
});
