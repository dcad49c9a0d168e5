import { describe, expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";
import { globalOptions, type Option } from "./command.ts";

const known: readonly Option[] = [
  { name: "occurrence", short: "o", value: "N", integer: true, text: "" },
  { name: "all", short: "a", text: "" },
  { name: "fit", value: "FIT", choices: ["exact", "layout"], text: "" },
  { name: "reason", short: "m", value: "TEXT", text: "" },
  ...globalOptions,
];

describe("arguments of a command", () => {
  const rows: [string, string[], string[], Record<string, string | true>][] = [
    ["options anywhere", ["a", "--all", "b"], ["a", "b"], { all: true }],
    [
      "a value as the next word or after =",
      ["--occurrence", "2", "--reason=x=y"],
      [],
      { occurrence: "2", reason: "x=y" },
    ],
    ["a short option", ["-m", "why", "-a"], [], { reason: "why", all: true }],
    ["a short option with =", ["-o=3"], [], { occurrence: "3" }],
    ["negative numbers are operands", ["f", "-1", "x"], ["f", "-1", "x"], {}],
    ["a lone dash is an operand", ["f", "-"], ["f", "-"], {}],
    [
      "text that begins with a dash is an operand",
      ["f", "- item", "-- item", "--two words"],
      ["f", "- item", "-- item", "--two words"],
      {},
    ],
    ["-- ends the options", ["f", "--", "--all", "-x"], ["f", "--all", "-x"], {}],
    ["an empty word is an operand", ["f", ""], ["f", ""], {}],
    ["a negative value", ["--occurrence", "-1"], [], { occurrence: "-1" }],
    ["a value that begins with a dash", ["--reason", "- because"], [], { reason: "- because" }],
    ["a value over several lines", ["--reason=a\nb"], [], { reason: "a\nb" }],
    ["the last one counts", ["--fit", "exact", "--fit", "layout"], [], { fit: "layout" }],
  ];
  test.each(rows)("%s", (_, words, operands, options) => {
    expect(parseArguments(words, known)).toEqual({ ok: true, value: { operands, options } });
  });

  const wrong: [string, string[], string, string?][] = [
    [
      "unknown, with the nearest known one",
      ["--ocurrence", "2"],
      "unknown option --ocurrence",
      "Did you mean --occurrence?",
    ],
    ["swapped letters", ["--jsno"], "unknown option --jsno", "Did you mean --json?"],
    ["unknown and near nothing", ["--zzzzzz"], "unknown option --zzzzzz"],
    ["the name of a command", ["--undo"], "unknown option --undo", "`suture undo` is a command of its own."],
    ["unknown, its value not repeated", ["--secret=abc"], "unknown option --secret"],
    ["a flag with a value", ["--all=yes"], "--all takes no value"],
    ["no value at the end", ["--reason"], "--reason needs a value: TEXT"],
    ["another option in place of a value", ["--reason", "--all"], "--reason needs a value: TEXT"],
    ["no whole number", ["--occurrence", "2.5"], '--occurrence takes a whole number, not "2.5"'],
    ["no number", ["--occurrence="], '--occurrence takes a whole number, not ""'],
    ["no choice", ["--fit", "layuot"], '--fit is one of exact, layout, not "layuot"; did you mean layout?'],
  ];
  test.each(wrong)("%s", (_, words, what, hint) => {
    const parsed = parseArguments(words, known, ["undo"]);
    expect(parsed).toMatchObject({ ok: false, refusal: { code: "malformed", what } });
    if (hint && !parsed.ok) expect((parsed.refusal as { hint?: string }).hint).toContain(hint);
  });
});
