import { describe, expect, test } from "vitest";
import { type ChangedFiles, reported } from "../../test-case.ts";

const BUILD = { "build.gradle": "group = 'acme'\n", "settings.gradle": "rootProject.name = 'tide'\n" };
const NODE = { "package.json": '{ "name": "tide", "main": "src/index.ts" }' };
const java = (name: string): string => `package acme.tide;\n\npublic @interface ${name} {\n}\n`;
const typescript = (name: string): string =>
  `export function ${name}(file: string): string {\n  return file;\n}\nexport const port = 1;\n`;
const kept = "export const port = 1;\n";

describe("a name that the project lost is somebody else's where", () => {
  test.each<[name: string, path: string, before: string, after: string | null, page: string]>([
    [
      "a sample imports it from another package",
      "src/main/java/acme/tide/TransactionalBean.java",
      java("TransactionalBean"),
      null,
      "```java\nimport org.springframework.transaction.TransactionalBean;\n\n@TransactionalBean\nclass Store {}\n```\n",
    ],
    [
      "a sentence says whose it is",
      "src/main/java/acme/tide/Transactional.java",
      java("Transactional"),
      null,
      "It works with Spring's `@Transactional`.\n",
    ],
    [
      "a sample declares it",
      "src/main/java/acme/tide/UserService.java",
      java("UserService"),
      null,
      "```java\npublic class UserService {\n}\n\nnew UserService();\n```\n",
    ],
    [
      "a sample makes a variable of it",
      "src/index.ts",
      typescript("htmlPlugin"),
      kept,
      "```js\nconst htmlPlugin = () => ({ name: 'html' });\nexport default { plugins: [htmlPlugin()] };\n```\n",
    ],
    [
      "a template uses a variable of the reader",
      "src/index.ts",
      typescript("isReady"),
      kept,
      "```svelte\n<script>\n  let isReady = false;\n</script>\n\n{@debug !isReady}\n```\n",
    ],
    [
      "a drawing has it as a label",
      "src/index.ts",
      typescript("RouteHandler"),
      kept,
      "```mermaid\nsequenceDiagram\n  participant Route as RouteHandler(event)\n```\n",
    ],
    [
      "another program takes it",
      "src/index.ts",
      typescript("maxDepth"),
      kept,
      "```sh\nother-tool --max-depth 3\n```\n",
    ],
    [
      "a sample hands it to another package",
      "cmd/main.go",
      'package cmd\n\nfunc run() {\n\tif settings.GetBool("useTide") {\n\t\tstart()\n\t}\n}\n',
      "package cmd\n\nfunc run() {\n\tstart()\n}\n",
      '```go\nimport "github.com/acme/viper"\n\nviper.SetDefault("useTide", true)\n```\n',
    ],
    [
      "a sample of the page reads the variable",
      "docker/compose.yml",
      `services:\n  db:\n    environment:\n      DB_URI: postgres://\${TIDE_DB_USER}@db\n`,
      "services: {}\n",
      `~~~yaml\nimage: tide\nuri: postgres://\${TIDE_DB_USER}:secret@db:5432/boats\n~~~\n\nSet **TIDE_DB_USER** in .env and \`TIDE_DB_USER\` here.\n`,
    ],
    [
      "a sample of the page makes the flag",
      "cmd/main.go",
      'package main\n\nimport "flag"\n\nvar author = flag.String("author", "", "")\nvar depth = flag.Int("depth", 3, "")\n',
      'package main\n\nimport "flag"\n\nvar depth = flag.Int("depth", 3, "")\n',
      '```go\nroot.Flags().String("author", "", "who wrote it")\n```\n\nThe value is not read when the `--author` flag is given.\n',
    ],
  ])("%s", async (_, path, before, after, page) => {
    const rest = path.endsWith(".java") ? BUILD : NODE;
    const found = await reported({
      files: { [path]: [before, after] },
      docs: { "docs/guide.md": `# Guide\n\n${page}` },
      rest,
    });
    expect(found.map(({ message }) => message.old)).toEqual([]);
  });
});

describe("a name that no user of the project has is not lost", () => {
  const used = "async def child1():\n    return 1\n";
  const shipped = { "tide/__init__.py": "", "pyproject.toml": '[project]\nname = "tide"\n' };
  test.each<[name: string, files: ChangedFiles, rest: Record<string, string>, page: string]>([
    [
      "it was in a script that no code can import",
      { "notes-to-self/try.py": [used, null] },
      shipped,
      "Both ``child1`` and the other are running.\n",
    ],
    [
      "it moved to a package for the tests of others",
      {
        "tide/probes.py": ["class MemoryStream:\n    pass\n", null],
        "tide/testing/_memory.py": [null, "class MemoryStream:\n    pass\n"],
      },
      shipped,
      "See :class:`MemoryStream`.\n",
    ],
    [
      "a directive only has it as a word",
      { "tide/probes.py": ["classes = [1, 2]\n", "x = 1\n"] },
      shipped,
      ".. list-table:: Overview: abstract base classes\n\n   * - A\n",
    ],
  ])("%s", async (_, files, rest, page) => {
    const found = await reported({ files, rest, docs: { "docs/guide.rst": `Guide\n=====\n\n${page}` } });
    expect(found.map(({ message }) => message.old)).toEqual([]);
  });
});
