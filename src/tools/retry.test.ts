import { expect, test } from "vitest";
import { locateQuote } from "../text/match/locate.ts";
import { correctPair } from "./retry.ts";

function retryOf(text: string, old: string, now: string) {
  const located = locateQuote(text, { quote: old }, now);
  return located.ok ? null : correctPair(located.refusal, text, { old, new: now });
}

const twoAlike = "first = 1\nlast = 9\n\nsecond = 1\nlast = 9\n";

test("no corrected call is offered where two passages are equally like the quotation", () => {
  expect(retryOf(twoAlike, "third = 1\nlast = 9", "third = 1\nlast = 10")).toBeNull();
});

test("the corrected call is about the passage that is clearly meant", () => {
  const text = "first = 1\nmiddle = 4\nlast = 9\n\nsecond = 1\nother = 5\nlast = 9\n";
  expect(retryOf(text, "third = 1\nother = 5\nlast = 9", "third = 1\nother = 5\nlast = 10")).toEqual({
    old: "second = 1\nother = 5\nlast = 9",
    new: "second = 1\nother = 5\nlast = 10",
  });
});
