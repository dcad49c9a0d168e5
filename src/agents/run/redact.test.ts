import { expect, test } from "vitest";
import { extendMetadata } from "../model/metadata.ts";
import { startTracing } from "../model/tracing.ts";
import { createRedact, findSecret, secretsIn } from "./redact.ts";

test("secrets of the environment are recognised by the names of their variables", () => {
  const environment = {
    MY_API_KEY: "abcdefgh1",
    DB_PASSWORD: "abcdefgh1234",
    KEYBOARD: "querty-layout",
    SHORT_KEY: "abc",
    EMPTY_TOKEN: "",
  };
  expect(secretsIn(environment)).toEqual(["abcdefgh1234", "abcdefgh1"]);
  const redact = createRedact(secretsIn(environment));
  expect(redact("x abcdefgh1234 y abcdefgh1 z querty-layout")).toBe("x [secret] y [secret] z querty-layout");
});

test.each([
  ["openai key", `sk-${"a1".repeat(20)}`],
  ["github token", `ghp_${"a1".repeat(18)}`],
  ["aws key", `AKIA${"ABCDEFGH12345678"}`],
  ["google key", `AIza${"x".repeat(35)}`],
  ["bearer header", `Bearer ${"q".repeat(30)}`],
  ["private key", "-----BEGIN RSA PRIVATE KEY-----"],
  ["web token", `eyJ${"a".repeat(12)}.eyJ${"b".repeat(12)}.${"c".repeat(12)}`],
])("new text that looks like a %s is recognised", (_, secret) => {
  expect(createRedact()(`see ${secret} here`)).toBe("see [secret] here");
  expect(findSecret(`see ${secret} here`, [])).toBe(true);
  expect(findSecret(`see ${secret} here`, [], `old ${secret}`)).toBe(false);
  expect(findSecret("see sk-short here", [])).toBe(false);
});

test("added metadata does not change the session's copy or repeat a tag", () => {
  const session = { session: "s", properties: { tool: "suture" }, tags: ["docs"] };
  const page = extendMetadata(session, { properties: { mode: "surgical-update" }, tags: ["docs", "page"] });
  expect(page).toEqual({
    session: "s",
    properties: { tool: "suture", mode: "surgical-update" },
    tags: ["docs", "page"],
  });
  expect(session).toEqual({ session: "s", properties: { tool: "suture" }, tags: ["docs"] });
});

test("tracing that cannot start says what is missing, and starts where it can", async () => {
  const missing = async () => {
    throw new Error("no such package");
  };
  expect(await startTracing(missing)).toContain("@ai-sdk/otel is not installed");
  let made = 0;
  class OpenTelemetry {
    constructor() {
      made++;
    }
  }
  expect(await startTracing(async () => ({ OpenTelemetry }))).toBeNull();
  expect(await startTracing(missing)).toBeNull();
  expect(made).toBe(1);
});
