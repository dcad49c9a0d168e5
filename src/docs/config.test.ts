import { expect, test } from "vitest";
import { parseConfig } from "./config.ts";
import { oldRuleNames, ruleNames } from "./rule-names.ts";

const parse = (value: unknown) => parseConfig(JSON.stringify(value));

test.each(ruleNames)("the rule %s can be switched off", (name) => {
  const parsed = parse({ rules: { [name]: "off" } });
  expect(parsed).toMatchObject({ ok: true, value: { config: { rules: { [name]: "off" } }, warnings: [] } });
});

test.each(ruleNames)("the name of the rule %s never meant another rule", (name) => {
  expect(Object.keys(oldRuleNames)).not.toContain(name);
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

test.each([
  ["at the top", { dosc: {} }, '"docs"'],
  ["in a section", { fleet: { reviewer: ["alice"] } }, '"reviewers"'],
  ["in a section of a section", { fleet: { schedule: { form: "22:00" } } }, '"from"'],
  ["in a list", { dismissed: [{ id: "a", reasn: "b", reason: "c" }] }, '"reason"'],
])("a misspelt key %s is refused, with the key that was meant", (_, value, meant) => {
  expect(parse(value)).toMatchObject({
    ok: false,
    refusal: { code: "malformed", hint: `Did you mean ${meant}?` },
  });
});

test.each([
  ["a time of day", { schedule: { from: "25:00" } }, /22:00/],
  ["a time zone", { schedule: { timezone: "Europe/Nowhere" } }, /time zone/],
  ["a branch", { branch: "../main" }, /fleet\.branch/],
  ["a branch that git would refuse", { branch: "a.lock" }, /fleet\.branch/],
  ["a title of several lines", { title: "a\nb" }, /fleet\.title/],
  ["a limit of the organisation", { limits: { organisation: 5 } }, /organisation/],
  ["a reviewer", { reviewers: ["@alice bob"] }, /fleet\.reviewers/],
])("%s that is not one is refused in the settings for the fleet", (_, fleet, what) => {
  expect(parse({ fleet })).toMatchObject({
    ok: false,
    refusal: { code: "malformed", what: expect.stringMatching(what) },
  });
});
