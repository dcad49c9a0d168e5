import { expect, test } from "vitest";
import { parseConfig } from "./config.ts";
import { ruleNames } from "./rule-names.ts";

const parse = (value: unknown) => parseConfig(JSON.stringify(value));

test.each(ruleNames)("the rule %s can be switched off", (name) => {
  const parsed = parse({ rules: { [name]: "off" } });
  expect(parsed).toMatchObject({ ok: true, value: { config: { rules: { [name]: "off" } }, warnings: [] } });
});

test("an old name of a rule works, with a warning", () => {
  expect(parse({ rules: { renames: "off" } })).toEqual({
    ok: true,
    value: {
      config: { rules: { rename: "off" } },
      warnings: [{ path: "suture.config.json", warning: "old-rule-name", old: "renames", new: "rename" }],
    },
  });
});

test("the present name of a rule wins over its old one", () => {
  const parsed = parse({ rules: { renames: "off", rename: "likely" } });
  expect(parsed).toMatchObject({ ok: true, value: { config: { rules: { rename: "likely" } } } });
});

test.each([
  ["a rule that does not exist", { rules: { spelling: "off" } }, /no rule "spelling"/],
  ["a key that does not exist", { document: {} }, /document/],
  ["a tier that does not exist", { rules: { rename: "sure" } }, /rules\.rename/],
  ["a key of code that does not exist", { code: { include: [] } }, /include/],
])("%s is refused", (_, value, what) => {
  const parsed = parse(value);
  expect(parsed).toMatchObject({
    ok: false,
    refusal: { code: "malformed", what: expect.stringMatching(what) },
  });
});
