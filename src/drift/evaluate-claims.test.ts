import { expect, test } from "vitest";
import type { WholeInput } from "./change/change.ts";
import { evaluateClaims, readClaims } from "./evaluate-claims.ts";

type Files = Readonly<Record<string, string>>;

const written = "a".repeat(40);
const page =
  "# Mail\n\nCall `sendMail`, then `closeMail`. See [limits](limits.md).\n\n`retryCount` defaults to 3.\n";
const was = {
  "src/mail.ts": "export function sendMail({ retryCount = 3 } = {}) {}\nexport function closeMail() {}\n",
};
const is = { "src/mail.ts": "export function sendMail({ retryCount = 5 } = {}) {}\n" };

function source(files: Files) {
  const paths = Object.keys(files);
  return {
    read: async (path: string) => files[path] ?? null,
    holders: async (words: readonly string[]) =>
      new Map(words.map((word) => [word, paths.filter((path) => files[path]!.includes(word))])),
  };
}

/** A project in memory: the texts now, and those when the page was written. */
function project(past: Files | null): WholeInput {
  const { read, holders } = source(is);
  return {
    tree: [...Object.keys(is), "README.md"],
    documents: [{ path: "README.md", text: page }],
    read,
    occurrences: holders,
    ...(past && {
      history: {
        pathsAt: async () => null,
        blame: async () => page.split("\n").map(() => written),
        stateAt: async () => ({ revision: written, paths: Object.keys(past), ...source(past) }),
        touching: async () => [],
        summary: async () => null,
      },
    }),
  };
}

test("a page is read without its project", async () => {
  const claims = await readClaims({ path: "README.md", text: page });
  expect(claims).toContainEqual({
    kind: "exists",
    startLine: 3,
    endLine: 3,
    startColumn: 7,
    endColumn: 15,
    says: "sendMail",
  });
});

test.each([
  ["the past", was, ["sendMail true", "closeMail false", "3 false"]],
  ["no past", null, ["sendMail true", "closeMail undecidable", "3 undecidable"]],
] as const)("claims of texts in memory have a truth, with %s", async (_, past, expected) => {
  const [asked] = await evaluateClaims(project(past));
  const told = asked!.claims.map(({ says, truth }) => `${says} ${truth}`);
  expect(told).toEqual(expect.arrayContaining([...expected]));
});

test("a claim has the thing that it is about, and a false one what became of it", async () => {
  const [asked] = await evaluateClaims(project(was));
  expect(asked?.claims.find(({ says }) => says === "3")).toMatchObject({
    kind: "value",
    thing: { name: "retryCount", path: "src/mail.ts", line: 1 },
    message: { old: "3", new: "5" },
  });
});
