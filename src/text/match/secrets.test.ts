import { expect, test } from "vitest";
import { createRedact, findSecret } from "./secrets.ts";

const redact = createRedact();

test.each([
  ["a name in capitals", "POSTBOX_API_TOKEN=abcd1234efgh", "POSTBOX_API_TOKEN=[secret]"],
  ["a key of JSON", '"clientSecret": "abcd1234efgh"', '"clientSecret": "[secret]"'],
  ["a name in many parts", "a_b_c_d_e_f_g_h_password: abcd1234efgh", "a_b_c_d_e_f_g_h_password: [secret]"],
  ["a placeholder", "token: <your-token>", "token: <your-token>"],
  ["a word that only begins alike", "tokenizer: abcd1234efgh", "tokenizer: abcd1234efgh"],
])("%s", (_, text, clean) => {
  expect(redact(text)).toBe(clean);
});

test.each([
  ["one long word", "a".repeat(200_000)],
  ["words and separators", "ab_".repeat(70_000)],
  ["beginnings of addresses", "https://".repeat(25_000)],
  ["beginnings of values", "token=".repeat(30_000)],
])("a text of %s is read in linear work", (_, text) => {
  // Eight times the text may take some forty times the time, where a quadratic search takes sixty-four.
  const measure = (of: string): number => {
    const began = process.cpuUsage();
    redact(of);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  measure(text.slice(0, text.length / 8));
  const small = Math.max(2000, measure(text.slice(0, text.length / 8)));
  expect(measure(text)).toBeLessThan(40 * small);
});

test.each([
  ["a word for a password", "postgres://user:password@host/db", false],
  ["a password", "postgres://user:hunter22@host/db", true],
])("an address with %s is judged by the password", (_, text, isSecret) => {
  expect(findSecret(text, [])).toBe(isSecret);
});

const known = "s3cr3t-Value-9281-xyz";
const each = (form: (code: number) => string): string =>
  Array.from(known, (character) => form(character.charCodeAt(0))).join("");
const hex = (code: number): string => code.toString(16);

test.each([
  ["letters apart", Array.from(known).join(" ")],
  ["other case", known.toUpperCase()],
  ["a line end inside", `${known.slice(0, 9)}\n${known.slice(9)}`],
  ["invisible characters between", Array.from(known).join("\u200b")],
  ["percent signs", each((code) => `%${hex(code)}`)],
  ["escapes of a program", each((code) => `\\x${hex(code)}`)],
  ["longer escapes", each((code) => `\\u${hex(code).padStart(4, "0")}`)],
  ["character references", each((code) => `&#${code};`)],
  ["hexadecimal numbers", each((code) => `${hex(code)} `)],
  ["decimal numbers", each((code) => `${code},`)],
])("a known secret is found as %s", (_, text) => {
  expect(createRedact([known])(`Use ${text} here.`)).not.toContain(text);
  expect(findSecret(`Use ${text} here.`, [known])).toBe(true);
});

test.each([
  ["a signed address", "https://x.blob.core.windows.net/c?sv=1&sig=Tbmz49GRceiqyANRWdnz37DMXjnt2BNQUa"],
  ["a password of a command", "curl -u user:hunter2x https://host"],
  ["a line of .netrc", "machine host login user password hunter2x"],
])("%s does not pass", (_, text) => {
  expect(redact(text)).toContain("[secret]");
});
