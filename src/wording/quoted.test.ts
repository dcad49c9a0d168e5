import fc from "fast-check";
import { expect, test } from "vitest";
import { block, code, logged, prose } from "./quoted.ts";

const hostile = [
  "@everyone fixes #1",
  "closes acme/postbox#12, GH-3",
  "<img src=x onerror=alert(1)>",
  "</details></summary><h1>approved</h1>",
  "`code` **bold** [link](javascript:alert(1)) ![x](https://evil.test/x.png)",
  "<!-- suture:drift -->",
  "```\n@everyone\n```",
  "https://evil.test www.evil.test mailto:a@b.test",
  "| a | b |\n|---|---|",
  "\u202egnitset\u202c \u200b@everyone",
  "::set-output name=x::y\n##[add-mask]z",
  "&lt;b&gt; &#64;everyone \\@everyone",
];

test.each(hostile)("repository text has no effect in a comment: %j", (text) => {
  for (const shown of [code(text), prose(text), prose(`\`${text}\` is now \`x\``)]) expectHarmless(shown);
});

test("the marks around a reference are not part of it", () => {
  expect(prose("(acme/api 0123456789ab), see #12.")).toBe(
    "(acme/api <code>0123456789ab</code>), see <code>&#35;12</code>.",
  );
});

test("any text stays plain text", () => {
  const pieces = fc.constantFrom(
    ..."@#<>`*_[]()!&;:/\\\n\r\t |~$%'\"",
    "https://",
    "www.",
    "a",
    "1",
    " ",
    "-",
    "\u202e",
  );
  fc.assert(
    fc.property(fc.string({ unit: pieces, maxLength: 60 }), (text) => {
      expectHarmless(code(text));
      expectHarmless(prose(text));
      expectLiteral(block(text, "diff"), text);
    }),
  );
});

/** Tags are ours alone; outside code nothing is left that a host turns into a link, a message or markup. */
function expectHarmless(shown: string): void {
  const outside = shown.replace(/<code>[^<>]*<\/code>/g, " ");
  expect(outside).not.toMatch(/[`*_[\]\\|~@<>"!$%\n]/);
  expect(outside.replace(/&#\d+;/g, "\u0001")).not.toMatch(/[#&]|:\/\/|www\.|gh-\d/i);
  for (const [, inside] of shown.matchAll(/<code>([^<>]*)<\/code>/g))
    expect(inside!.replace(/&#\d+;/g, "\u0001")).not.toMatch(/[`*_[\]\\|~@#&"]/);
}

/** No line inside closes the fence. */
function expectLiteral(shown: string, text: string): void {
  const [fence] = /^`+/.exec(shown)!;
  const inside = shown.split("\n").slice(1, -1);
  expect(inside.some((line) => line.trimStart().startsWith(fence))).toBe(false);
  expect(inside.join("\n")).toBe(text.replace(/\n$/, ""));
}

test.each([
  ["::error::x", "\\::error::x"],
  ["  ::add-mask::x", "\\  ::add-mask::x"],
  ["a\n::stop-commands::x", "a\n\\::stop-commands::x"],
  ["say ##[add-path]/evil", "say ##\\[add-path]/evil"],
  ["std::vector", "std::vector"],
])("a log line cannot be a workflow command: %j", (text, shown) => {
  expect(logged(text)).toBe(shown);
});
