import { expect, test } from "vitest";
import { changedNames, namesOnPages } from "./changed-names.ts";

const weigh = (patch: string, pages: readonly string[], messages: readonly string[] = []): string[] => {
  const files = [{ path: "src/a.ts", patch: `@@ -1 +1 @@\n${patch}\n` }];
  const texts = pages.map((text) => ({ text }));
  return [...namesOnPages(changedNames({ files, messages }), texts).keys()];
};

test.each([
  ["a name of a changed line", "+const pollDelay = 3;", "Set `pollDelay`.", "pollDelay"],
  [
    "a name beside a changed line",
    " function pollOften() {\n+  wait(3);",
    "Call `pollOften()`.",
    "pollOften",
  ],
  ["a name in another style", "+const pollDelay = 3;", "Pass `--poll-delay`.", "poll-delay"],
  ["a part of a longer name", "+this.brokerPollDelay = 3;", "Set `pollDelay`.", "pollDelay"],
  ["a value beside a changed line", ' ["bash", run],\n+["pwsh", run],', "It knows `bash`.", "bash"],
])("%s counts on a page", (_, patch, page, name) => {
  expect(weigh(patch, [page])).toContain(name);
});

test("a name of a commit message counts, and words of a comment or a language do not", () => {
  expect(weigh("+x();", ["The `pollDelay` is 3."], ["Double pollDelay"])).toContain("pollDelay");
  expect(weigh("+x();", ["It should also work otherwise."], ["Otherwise it should work"])).toEqual([]);
  expect(weigh("+// afterwards it returns", ["It returns afterwards, and the value too."])).toEqual([]);
});

test("a name that is on every page comes after one that is on few", () => {
  const everywhere = Array.from({ length: 9 }, () => "Use `sendMail`.");
  expect(weigh("+sendMail(pollDelay);", [...everywhere, "Use `sendMail` and `pollDelay`."])).toEqual([
    "pollDelay",
    "sendMail",
  ]);
});
