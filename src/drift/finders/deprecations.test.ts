import { describe, expect, test } from "vitest";
import { type ChangedFiles, reported } from "../test-case.ts";

const PAGE = "docs/page.md";
const file = (before: string, after: string): ChangedFiles => ({ "src/config.py": [before, after] });
const USE = "theme_dir = load('theme_dir')\n";

describe("names that the change deprecates", () => {
  const rows: [name: string, files: ChangedFiles, page: string, told: (string | undefined)[] | null][] = [
    [
      "a message with a replacement",
      file(USE, `${USE}warn("The 'theme_dir' setting is deprecated, use 'custom_dir' instead.")\n`),
      "Set `theme_dir` to a folder.\n",
      ["theme_dir", "custom_dir"],
    ],
    [
      "a message over two lines",
      file(USE, `${USE}warn("The 'theme_dir' setting is "\n     "deprecated.")\n`),
      "Set `theme_dir` to a folder.\n",
      ["theme_dir", undefined],
    ],
    [
      "a mark above a declaration",
      {
        "src/api.ts": [
          "export function openAll() {}\n",
          "/** @deprecated */\nexport function openAll() {}\n",
        ],
      },
      "Call `openAll()`.\n",
      ["openAll", undefined],
    ],
    [
      "a mark behind a field, which pages spell by its key",
      {
        "config/config.go": [
          'type Build struct {\n\tBinaryName string `yaml:"binary_name"`\n}\n',
          'type Build struct {\n\tBinaryName string `yaml:"binary_name"` // deprecated\n}\n',
        ],
      },
      "```yaml\nbinary_name: a\n```\n",
      ["binary_name", undefined],
    ],
    [
      "a page that says so already is right",
      file(USE, `${USE}warn("The 'theme_dir' setting is deprecated.")\n`),
      "`theme_dir` (deprecated) names a folder.\n",
      null,
    ],
    [
      "a name that was deprecated before is not reported",
      file(`${USE}warn("'theme_dir' is deprecated")\n`, `${USE}warn("The 'theme_dir' is deprecated now")\n`),
      "Set `theme_dir` to a folder.\n",
      null,
    ],
    [
      "nor is a message over several lines that was only reformatted",
      file(
        `${USE}warn('an old value of the '\n     '"theme_dir" setting is '\n     'deprecated here')\n`,
        `${USE}warn(\n    'an old value of the "theme_dir" '\n    'setting is deprecated here'\n)\n`,
      ),
      "Set `theme_dir` to a folder.\n",
      null,
    ],
    [
      "a neighbour that was deprecated before hides nothing",
      file(
        "theme_file = 1  # deprecated\ntheme_dir = 2\n",
        "theme_file = 1  # deprecated\ntheme_dir = 2  # deprecated\n",
      ),
      "Set `theme_dir` to a folder.\n",
      ["theme_dir", undefined],
    ],
    [
      "an everyday word is left alone",
      file("theme = load('theme')\n", "theme = load('theme')\nwarn(\"'theme' is deprecated\")\n"),
      "Set `theme` to a folder.\n",
      null,
    ],
  ];
  test.each(rows)("%s", async (_, files, page, told) => {
    const findings = (await reported({ files, docs: { [PAGE]: page } })).filter(
      ({ kind }) => kind === "deprecation",
    );
    expect(findings.map(({ message, edits }) => [message.old, message.new, edits.length])).toEqual(
      told ? [[...told, 0]] : [],
    );
  });
});
