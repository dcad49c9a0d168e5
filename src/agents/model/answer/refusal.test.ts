import { expect, test } from "vitest";
import { refusalIn } from "./refusal.ts";

test.each([
  ["I'm sorry, but I can't help with that.", "I'm sorry, but I can't help with that."],
  ["I can't help with this request. Ask another.", "I can't help with this request."],
  ["I cannot assist with that", "I cannot assist with that"],
  ["Sorry! I am unable to comply.", "Sorry!"],
  [
    "As an AI language model, I will not process this text.",
    "As an AI language model, I will not process this text.",
  ],
])("%j is a refusal", (text, said) => {
  expect(refusalIn(text)).toBe(said);
});

test.each([
  "1 KEEP: it cannot help readers to know this.",
  "NONE",
  "The page says that the server cannot answer.",
  "I can't find the line in the section. 1 FIX: it is gone.",
  `I'm sorry, I can't help it, this is long: ${"word ".repeat(200)}`,
])("%j is none", (text) => {
  expect(refusalIn(text)).toBeNull();
});
