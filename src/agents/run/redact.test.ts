import { expect, test } from "vitest";
import { createRedact, findSecret, secretsIn } from "../../text/match/secrets.ts";
import { extendMetadata } from "../model/metadata.ts";
import { startTracing } from "../model/tracing.ts";

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
  [
    "private key with its body",
    `-----BEGIN PRIVATE KEY-----\n${"MIIEvQ+/a1".repeat(30)}\n-----END PRIVATE KEY-----`,
  ],
  ["payment key", `sk_live_${"a1".repeat(12)}`],
  ["model hub token", `hf_${"aB1".repeat(12)}`],
  ["mail key", `SG.${"a1".repeat(11)}.${"b2".repeat(21)}`],
  ["chat webhook", `https://hooks.slack.com/services/T000/B000/${"x1".repeat(12)}`],
  ["basic header", `Basic ${"dXNlcjpwYXNz".repeat(3)}`],
  ["inference key", `gsk_${"a1".repeat(20)}`],
  ["another inference key", `xai-${"a1".repeat(20)}`],
  ["cloud access token", `ya29.${"a1".repeat(20)}`],
  ["shop token", `shpat_${"a1".repeat(16)}`],
  ["hosting token", `dop_v1_${"a1".repeat(32)}`],
  ["tracker token", `lin_api_${"a1".repeat(20)}`],
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

test.each([
  ["an address with a password", "postgres://u:pa55word@h/db", "postgres://u:[secret]@h/db"],
  [
    "a name that says so",
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
    "AWS_SECRET_ACCESS_KEY=[secret]",
  ],
  ["a quoted value", 'password = "s3cr3t-phrase"', 'password = "[secret]"'],
  ["a value in JSON", '{"client_secret": "a1b2c3d4e5"}', '{"client_secret": "[secret]"}'],
  ["a connection string", "AccountKey=ab12CD34ef56==;x", "AccountKey=[secret];x"],
])("%s keeps its words and loses its value", (_, text, clean) => {
  expect(createRedact()(text)).toBe(clean);
  expect(findSecret(text, [])).toBe(true);
  expect(findSecret(text, [], text)).toBe(false);
});

test.each([
  "Set `API_KEY=your-key` or `TOKEN=$TOKEN`.",
  "password: string",
  'token = os.environ["TOKEN"]',
  "const token = await readToken(options);",
  "The token: a short text that the server gives.",
  "see https://example.com:8080/path and user@example.com",
  "MAX_TOKENS=4096 and `max_tokens: 100`",
])("%j holds no secret", (text) => {
  expect(createRedact()(text)).toBe(text);
});

test("a known secret is found in other spellings", () => {
  const secret = "canary-token-0123456789";
  const bytes = Buffer.from(secret);
  const forms = [
    bytes.toString("base64"),
    Buffer.from(`x${secret}y`).toString("base64"),
    Buffer.from(`xx${secret}`).toString("base64"),
    bytes.toString("hex"),
    encodeURIComponent("p&ss w0rd/longer"),
  ];
  for (const form of forms) expect(findSecret(`see ${form}`, [secret, "p&ss w0rd/longer"]), form).toBe(true);
  expect(createRedact([secret])(`see ${bytes.toString("base64")}`)).not.toContain("Y2FuYXJ5");
});
