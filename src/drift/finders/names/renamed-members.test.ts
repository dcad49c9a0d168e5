import { describe, expect, test } from "vitest";
import { type Case, fixed, reported } from "../../test-case.ts";

const PAGE = "docs/response.md";
const members = (read: string): string =>
  `class Response:\n    def text(self):\n        pass\n    def json(self):\n        pass\n    def links(self):\n        pass\n    def ${read}(self):\n        pass\n`;
const RENAMED: Case["files"] = { "src/models.py": [members("read"), members("aread")] };
const rest = { "src/stream.py": "def read(path):\n    return path\n" };
const list = (read: string): string =>
  ["text", "json", "links", read].map((name) => `* \`.${name}()\` - what it gives`).join("\n");

describe("an everyday word that was renamed where it is declared", () => {
  const rows: [name: string, page: string, after: string][] = [
    ["is renamed in the list that has its siblings", `${list("read")}\n`, `${list("aread")}\n`],
    [
      "is renamed under a heading of its own among theirs",
      "### text\n\na\n\n### json\n\na\n\n### links\n\na\n\n### read\n\nCall `read` once.\n",
      "### text\n\na\n\n### json\n\na\n\n### links\n\na\n\n### aread\n\nCall `aread` once.\n",
    ],
    [
      "stays in a list of other things",
      "* `.open()` - a\n* `.write()` - a\n* `.seek()` - a\n* `.read()` - a\n",
      "* `.open()` - a\n* `.write()` - a\n* `.seek()` - a\n* `.read()` - a\n",
    ],
    [
      "stays in the words of another entry",
      `${list("items")}\n* \`.other()\` - may read twice\n`,
      `${list("items")}\n* \`.other()\` - may read twice\n`,
    ],
  ];
  test.each(rows)("%s", async (_, page, after) => {
    expect(await fixed({ files: RENAMED, docs: { [PAGE]: page }, rest }, PAGE)).toBe(after);
  });
});

test("a type of one word is renamed wherever code has it, but where the reader declares one", async () => {
  const files: Case["files"] = {
    "src/app.py": [
      "class App:\n    pass\n\n\napp = App()\n",
      "class Starling:\n    pass\n\n\napp = Starling()\n",
    ],
  };
  const page =
    "```python\nfrom starling.app import App\napp = App()\n```\n\n```python\nclass App:\n    pass\n```\n";
  expect(await fixed({ files, docs: { [PAGE]: page } }, PAGE)).toBe(
    "```python\nfrom starling.app import Starling\napp = Starling()\n```\n\n```python\nclass App:\n    pass\n```\n",
  );
});

test("a flag that most passages must replace is replaced in all of them", async () => {
  const files: Case["files"] = {
    "Taskfile.yml": [
      "tasks:\n  a:\n    - tool release now --rm-dist\n",
      "tasks:\n  a:\n    - tool release now --clean\n",
    ],
  };
  const kept = { "cmd/flags.go": 'flags.Bool("rm-dist", false, "deprecated")\n' };
  const line = "```sh\ntool release now --rm-dist\n```\n\n";
  const page = `${line.repeat(3)}\`\`\`sh\nother --rm-dist\n\`\`\`\n`;
  const one: Case = { files, docs: { [PAGE]: page }, rest: kept };
  expect((await reported(one)).length).toBe(4);
  expect(await fixed(one, PAGE)).toBe(page.replaceAll("--rm-dist", "--clean"));
});
