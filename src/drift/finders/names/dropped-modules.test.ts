import { expect, test } from "vitest";
import { findCandidates } from "../../find-drift.ts";
import { type Case, toInput } from "../../test-case.ts";

/** The passages that name a dropped package: the line of the page and what took its place. */
async function dropped(one: Case) {
  const candidates = await findCandidates(toInput(one));
  return candidates
    .filter(({ notice }) => notice.message.what === "dropped")
    .map(({ notice: { line, message }, suppressedBy }) => [
      line,
      message.old,
      message.new,
      suppressedBy !== null,
    ]);
}

const SWAPPED: Case["files"] = {
  "harbour/client.py": [
    "import requests\n\nclass Client(requests.Session):\n    pass\n",
    "import httpx\n\nclass Client(httpx.Client):\n    pass\n",
  ],
};
const PAGE = "The client is built on `requests`.\n\nIt sends requests.\n";

test("a page that names the package a file no longer imports, with the one package that came", async () => {
  expect(await dropped({ files: SWAPPED, docs: { "README.md": PAGE } })).toEqual([
    [0, "requests", "httpx", true],
  ]);
});

test("nothing where another file of the product still imports it", async () => {
  const rest = { "harbour/upload.py": "from requests.adapters import HTTPAdapter\n" };
  expect(await dropped({ files: SWAPPED, docs: { "README.md": PAGE }, rest })).toEqual([]);
});

test("nothing for a module of the project itself", async () => {
  const files: Case["files"] = { "harbour/a.py": ["import tides\n", "import moons\n"] };
  const rest = { "tides.py": "", "moons.py": "" };
  expect(await dropped({ files, docs: { "README.md": "See `tides`.\n" }, rest })).toEqual([]);
});
