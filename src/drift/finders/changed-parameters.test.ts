import { describe, expect, test } from "vitest";
import { type ChangedFiles, fixed } from "../test-case.ts";

const PAGE = "docs/page.md";
const RST = "docs/page.rst";
const python = (name: string): string =>
  `class Request:\n    def __init__(\n        self,\n        url,\n        ${name}=None,\n    ):\n        self.data = ${name}\n`;
const typescript = (name: string): string =>
  `export function snapshot(\n  shape: string,\n  ${name}?: string,\n): void {}\nexport function other(message: string): void {}\n`;
const gives = (type: string): string => `class Response:\n    def check(self) -> "${type}":\n        pass\n`;

describe("a parameter that was renamed, where a page shows its function", () => {
  const rows: [name: string, files: ChangedFiles, path: string, page: string, after: string][] = [
    [
      "in a directive for the class, and in the fields below it",
      { "src/http.py": [python("kwargs"), python("cb_kwargs")] },
      RST,
      ".. class:: Request(url, kwargs)\n\n    :param kwargs: what it is given\n    :type kwargs: dict\n\n.. class:: Other(kwargs)\n",
      ".. class:: Request(url, cb_kwargs)\n\n    :param cb_kwargs: what it is given\n    :type cb_kwargs: dict\n\n.. class:: Other(kwargs)\n",
    ],
    [
      "in the section of the function's own heading",
      { "src/expect.ts": [typescript("message"), typescript("hint")] },
      PAGE,
      "## snapshot\n\n- **Type:** `(shape: string, message?: string) => void`\n\nA `message` helps; a message box does not.\n\n## other\n\n- **Type:** `(message: string) => void`\n",
      "## snapshot\n\n- **Type:** `(shape: string, hint?: string) => void`\n\nA `hint` helps; a message box does not.\n\n## other\n\n- **Type:** `(message: string) => void`\n",
    ],
    [
      "the return type of a function, after its parentheses",
      { "src/models.py": [gives("Nothing"), gives("Response")] },
      PAGE,
      "* `def .check()` - **Nothing**\n* `def .other()` - **Nothing**\n",
      "* `def .check()` - **Response**\n* `def .other()` - **Nothing**\n",
    ],
    [
      "given by name in a call, but not as the caller's own variable",
      { "src/http.py": [python("kwargs"), python("cb_kwargs")] },
      PAGE,
      "```python\nRequest(url, kwargs=kwargs)\nRequest(url, kwargs)\n```\n",
      "```python\nRequest(url, cb_kwargs=kwargs)\nRequest(url, kwargs)\n```\n",
    ],
    [
      "a private function is not public",
      { "src/a.py": ["def _send_all(message):\n    pass\n", "def _send_all(hint):\n    pass\n"] },
      PAGE,
      "Call `_send_all(message)`.\n",
      "Call `_send_all(message)`.\n",
    ],
    [
      "two functions of one name that changed differently are left alone",
      {
        "src/a.py": [
          "def save_all(\n    message,\n):\n    pass\n",
          "def save_all(\n    hint,\n):\n    pass\n",
        ],
        "src/b.py": [
          "def save_all(\n    message,\n):\n    pass\n",
          "def save_all(\n    words,\n):\n    pass\n",
        ],
      },
      PAGE,
      "## save_all\n\nGive it a `message`.\n",
      "## save_all\n\nGive it a `message`.\n",
    ],
    [
      "a language without a grammar is left to the words of the change",
      { "src/a.zzz": ["fn save_all(\n  message\n)\n", "fn save_all(\n  hint\n)\n"] },
      PAGE,
      "## save_all\n\nGive it a `message`.\n",
      "## save_all\n\nGive it a `message`.\n",
    ],
  ];
  test.each(rows)("%s", async (_, files, path, page, after) => {
    expect(await fixed({ files, docs: { [path]: page } }, path)).toBe(after);
  });
});
