import { describe, expect, test } from "vitest";
import { type Case, type ChangedFiles, reported } from "../../test-case.ts";

const python = (before: string, after: string): ChangedFiles => ({ "pkg/client.py": [before, after] });

/** The lines on which a case reports that a name does not exist. */
async function lines(one: Case): Promise<string[]> {
  const found = await reported(one);
  return found.flatMap(({ kind, path, startLine }) => (kind === "exists" ? `${path}:${startLine}` : []));
}

describe("a name that is gone is found", () => {
  const keyword = python(
    "class Client:\n    def request(self, url, query_params=None):\n        return url, query_params\n",
    "class Client:\n    def request(self, url, search=None):\n        return url, search\n",
  );
  const short = python("class App:\n    x = 1\n", "class Main:\n    x = 1\n");
  const member = python(
    "class Client:\n    def __init__(self):\n        self.backend_options = 1\n\n    def get(self):\n        return 1\n",
    "class Client:\n    def get(self):\n        return 1\n",
  );
  const field = python(
    "class Client:\n    def hold(self):\n        return 1\n\n    def get(self):\n        return 1\n",
    "class Client:\n    def get(self):\n        return 1\n",
  );
  const rows: [name: string, one: Case][] = [
    [
      "in inline code that declares",
      { files: keyword, docs: { "README.md": "* `def .request(url, [query_params])`\n" } },
    ],
    [
      "in inline code that assigns",
      { files: keyword, docs: { "README.md": "Pass `query_params = {}` for none.\n" } },
    ],
    [
      "although it is short, if the sample imports it",
      {
        files: short,
        rest: { "pkg/__init__.py": "" },
        docs: { "README.md": "```python\nfrom pkg.client import App\n```\n" },
      },
    ],
    [
      "in a sentence that has a word of purpose",
      { files: member, docs: { "README.md": "`Client.backend_options` is used to choose the backend.\n" } },
    ],
    [
      "in a sentence that calls it deprecated",
      { files: member, docs: { "README.md": "`Client.backend_options` is deprecated.\n" } },
    ],
    [
      "as a member of what the sample made of an imported type",
      {
        files: field,
        rest: {
          "pkg/__init__.py": "",
          "pkg/other.py": "class Other:\n    def hold(self):\n        return 1\n",
        },
        docs: {
          "README.md":
            "```python\nfrom pkg.client import Client\n\nclient = Client()\nhandler = client.hold\n```\n",
        },
      },
    ],
    [
      "although a function of that name is left that no member can be",
      {
        files: {
          "lib/reply.js": [
            "export class Reply {\n  notFound() {\n    return notFound(this);\n  }\n  send() {}\n}\nfunction notFound(one) {\n  return one;\n}\n",
            "export class Reply {\n  send() {\n    return notFound(this);\n  }\n}\nfunction notFound(one) {\n  return one;\n}\n",
          ],
        },
        docs: { "README.md": "Call `reply.notFound()` there.\n" },
      },
    ],
    [
      "although code calls a function of another library by that name",
      {
        files: python(
          "import shutil\n\ndef terminal_size():\n    return shutil.terminal_size()\n\ndef other():\n    return shutil.terminal_size()\n",
          "import shutil\n\ndef other():\n    return shutil.terminal_size()\n",
        ),
        docs: { "docs/api.rst": "API\n===\n\n.. autofunction:: terminal_size\n" },
      },
    ],
    [
      "if it was a text of the code",
      {
        files: python(
          "def close(spider):\n    finish(spider, 'closespider_itempassed')\n",
          "def close(spider):\n    finish(spider, 'closespider_itemcount')\n",
        ),
        docs: { "README.md": "The reason is ``closespider_itempassed``.\n" },
      },
    ],
    [
      "if code keeps it to itself and gives it to readers",
      {
        files: {
          "src/commands.rs": [
            'commands!(play_macro, "Play");\nfn play_macro(cx: &mut Context) {\n    run(cx)\n}\n',
            'commands!(replay_macro, "Play");\nfn replay_macro(cx: &mut Context) {\n    run(cx)\n}\n',
          ],
        },
        docs: {
          "book/keymap.md": "### Changes\n\n| Key | Command |\n| --- | --- |\n| `q` | `play_macro` |\n",
        },
      },
    ],
    [
      "as a command that a table of the program lists",
      {
        files: {
          "lib/tool.js": [
            "const defaultCommands = {\n  create: 'init',\n  serve: 'serve',\n};\n",
            "const defaultCommands = {\n  init: 'init',\n  serve: 'serve',\n};\n",
          ],
        },
        rest: { "package.json": '{ "name": "tool-cli", "version": "1.0.0", "bin": "./lib/tool.js" }' },
        docs: { "README.md": "Run `tool-cli create` once.\n" },
      },
    ],
    [
      "as a command that a sentence calls so",
      {
        files: {
          "src/cli.py": [
            'import argparse\np = argparse.ArgumentParser(prog="tool")\ns = p.add_subparsers()\ns.add_parser("create")\ns.add_parser("serve")\n',
            'import argparse\np = argparse.ArgumentParser(prog="tool")\ns = p.add_subparsers()\ns.add_parser("init")\ns.add_parser("serve")\n',
          ],
        },
        docs: { "README.md": "You are asked when running the `create` command.\n" },
      },
    ],
    [
      "in a sample without a language that begins with its imports",
      {
        files: short,
        rest: { "pkg/__init__.py": "" },
        docs: { "docs/a.rst": "Use\n===\n\nDo this::\n\n    from pkg.client import App\n\n    App()\n" },
      },
    ],
    [
      "as a term in bold",
      {
        files: {
          "src/config.rs": [
            '#[derive(Deserialize)]\n#[serde(rename_all = "kebab-case")]\npub struct HtmlConfig {\n    pub edit_base_url: Option<String>,\n    pub theme: String,\n}\n',
            '#[derive(Deserialize)]\n#[serde(rename_all = "kebab-case")]\npub struct HtmlConfig {\n    pub theme: String,\n}\n',
          ],
        },
        docs: {
          "guide/config.md": "- **edit-base-url:** The address of the editor.\n- **theme:** Colours.\n",
        },
      },
    ],
    [
      "as an entry of a list whose other entries the same table has",
      {
        files: {
          "internal/settings.go": ["layout", "opening"].map(
            (name) =>
              `package config\n\nvar defaultSettings = map[string]any{\n\t"autosave": true,\n\t"${name}": "tab",\n\t"ruler": true,\n\t"cursor": 1,\n}\n`,
          ) as [string, string],
        },
        docs: {
          "help/options.md":
            "* `autosave`: saves.\n\n* `ruler`: shows lines.\n\n* `layout`: how files open.\n\n* `cursor`: which one.\n",
        },
      },
    ],
    [
      "as a type that the sample imports by the word",
      {
        files: {
          "src/index.ts": [
            "export type CancelableRequest<T> = Promise<T> & { cancel(): void };\n",
            "export type Cancelable = { cancel(): void };\n",
          ],
        },
        rest: { "package.json": '{ "name": "boat", "exports": "./dist/index.js" }\n' },
        docs: { "README.md": "```ts\nimport boat, {type CancelableRequest} from 'boat';\n```\n" },
      },
    ],
    [
      "as an extra of the package",
      {
        files: {
          "pyproject.toml": [
            '[project]\nname = "boat"\n[project.optional-dependencies]\noldtls = ["idna"]\nd = ["aiohttp"]\n',
            '[project]\nname = "boat"\n[project.optional-dependencies]\nd = ["aiohttp"]\n',
          ],
        },
        docs: { "README.md": "Install it with `pip install boat[oldtls]`.\n" },
      },
    ],
    [
      "as an extra of a setup script",
      {
        files: {
          "setup.py": ["watchdog", "watchgod"].map(
            (name) =>
              `from setuptools import setup\nextras_require = {"${name}reload": ["${name}>0.10,<0.11"]}\nsetup(name="boat", extras_require=extras_require)\n`,
          ) as [string, string],
        },
        docs: { "docs/settings.md": "```\n$ pip install boat[watchdogreload]\n```\n" },
      },
    ],
    [
      "as a feature of a crate that a sample asks for",
      {
        files: {
          "Cargo.toml": ["tls", "rustls"].map(
            (name) =>
              `[package]\nname = "boat"\nversion = "1.0.0"\n\n[features]\n${name}-io = []\nwasm = []\n`,
          ) as [string, string],
        },
        docs: {
          "README.md":
            '```toml\n[dependencies]\nboat = { version = "1", features = ["wasm", "tls-io"] }\n```\n',
        },
      },
    ],
    [
      "as a package of Go whose folder moved",
      {
        files: {
          "sawing/saw.go": ["package sawing\n\nfunc Cut(n int) int { return n / 2 }\n", null],
          "saw/saw.go": [null, "package saw\n\nfunc Cut(n int) int { return n / 2 }\n"],
        },
        rest: { "go.mod": "module example.org/plank\n\ngo 1.24\n" },
        docs: { "README.md": '```go\nimport (\n\t"example.org/plank/sawing"\n)\n```\n' },
      },
    ],
    [
      "as a property of Spring that is written with dots and dashes",
      {
        files: {
          "src/main/java/org/quay/Quay.java": ["maxShips", "shipLimit"].map(
            (name) =>
              `package org.quay;\n\n@ConfigurationProperties("quay.mooring")\npublic class Quay {\n    private int ${name} = 4;\n}\n`,
          ) as [string, string],
        },
        docs: { "README.md": "Limit the ships with `quay.mooring.max-ships`.\n" },
      },
    ],
    [
      "as a path of the reader's own machine, without a scheme",
      {
        files: {
          "main.go": ["book", "reserve"].map(
            (name) =>
              `package main\n\nfunc main() {\n\tr := gin.Default()\n\tr.POST("/berths/:id/${name}", save)\n}\n`,
          ) as [string, string],
        },
        docs: { "README.md": "```sh\ncurl -X POST localhost:8080/berths/4/book\n```\n" },
      },
    ],
    [
      "as a flag that the help leaves out, in the comment of a sample",
      {
        files: {
          "cmd/root.go": ["debug-all", "verbose"].map(
            (name) =>
              `package cmd\n\nfunc root() {\n\tflags := pflag.NewFlagSet("boat", 0)\n\tflags.Bool("quiet", false, "q")\n\tflags.Bool("${name}", false, "d")\n\tflags.MarkHidden("${name}")\n}\n`,
          ) as [string, string],
        },
        docs: {
          "docs/sign.md": "```yaml\nsigns:\n  # Shown if it runs with `--debug-all`.\n  - id: a\n```\n",
        },
      },
    ],
    [
      "as a field of settings, although code calls a variable so",
      {
        files: {
          "src/config.rs": ["extra_syntaxes", "extra_themes"].map(
            (name) =>
              `use serde::Deserialize;\n\n#[derive(Deserialize)]\npub struct Markdown {\n    pub ${name}: Vec<String>,\n    pub smart: bool,\n}\n`,
          ) as [string, string],
        },
        rest: {
          "src/highlight.rs":
            "fn find(set: &Set) {\n    if let Some(ref extra_syntaxes) = set.extra {\n        use_all(extra_syntaxes);\n    }\n}\n",
        },
        docs: { "docs/config.md": "The `extra_syntaxes` option adds files.\n" },
      },
    ],
    [
      "as a key below a table that is named after the file of the settings",
      {
        files: {
          "src/configs/memory_usage.rs": ["show_percentage", "style_all"].map(
            (name) =>
              `use serde::Deserialize;\n\n#[derive(Deserialize)]\npub struct MemoryConfig {\n    pub ${name}: bool,\n    pub smart: bool,\n}\n`,
          ) as [string, string],
        },
        docs: { "docs/config.md": "```toml\n[memory_usage]\nshow_percentage = true\n```\n" },
      },
    ],
    [
      "as a flag of a program that a project of .NET names",
      {
        files: {
          "src/Program.cs": ["--mesh-size", "--mesh"].map(
            (name) => `using System.CommandLine;\n\nvar mesh = new Option<int>("${name}", "size");\n`,
          ) as [string, string],
        },
        rest: {
          "src/Net.csproj":
            '<Project Sdk="Microsoft.NET.Sdk">\n  <PropertyGroup>\n    <AssemblyName>driftnet</AssemblyName>\n  </PropertyGroup>\n</Project>\n',
        },
        docs: { "README.md": "```\ndriftnet --mesh-size 90\n```\n" },
      },
    ],
  ];
  test.each(rows)("%s", async (_, one) => {
    expect(await lines(one)).not.toEqual([]);
  });
});

describe("a name is left alone", () => {
  const gone = python(
    "class Client:\n    def __init__(self):\n        self.backend_options = 1\n\n    def get(self):\n        return 1\n",
    "class Client:\n    def get(self):\n        return 1\n",
  );
  const rows: [name: string, one: Case][] = [
    [
      "where the sentence tells of the past",
      {
        files: gone,
        docs: {
          "README.md": "`Client.backend_options` was removed.\n\nPreviously, `Client.backend_options` did.\n",
        },
      },
    ],
    [
      "where code still has the text",
      {
        files: python("a = 'first_reason'\n", "a = 'second_reason'\n"),
        rest: { "pkg/other.py": "b = 'first_reason'\n" },
        docs: { "README.md": "The reason is `first_reason`.\n" },
      },
    ],
    [
      "where a program that was imported has it",
      {
        files: python("import fast_json\n", "import json\n"),
        docs: { "README.md": "`fast_json` is another library.\n" },
      },
    ],
    [
      "where a command of another program has it",
      {
        files: {
          "src/cli.py": [
            'import argparse\np = argparse.ArgumentParser()\np.add_argument("--dry-run")\np.add_argument("--all")\n',
            'import argparse\np = argparse.ArgumentParser()\np.add_argument("--all")\n',
          ],
        },
        docs: { "README.md": "Run `git push --dry-run` first.\n" },
      },
    ],
    [
      "where it is an extra of another package",
      {
        files: {
          "pyproject.toml": [
            '[project]\nname = "boat"\n[project.optional-dependencies]\nspeed = ["uvloop"]\nd = ["aiohttp"]\n',
            '[project]\nname = "boat"\n[project.optional-dependencies]\nd = ["aiohttp"]\n',
          ],
        },
        docs: { "README.md": "Install it with `pip install aiodns[speed]`.\n" },
      },
    ],
  ];
  test.each(rows)("%s", async (_, one) => {
    expect(await lines(one)).toEqual([]);
  });
});

test("the members of a renamed type are not gone with its name", async () => {
  const files = python(
    "class App:\n    def mount(self, path):\n        return path\n",
    "class Main:\n    def mount(self, path):\n        return path\n",
  );
  const page = "```python\nfrom pkg.client import App\n\napp = App()\n\napp.mount('/')\n```\n";
  const found = await lines({ files, rest: { "pkg/__init__.py": "" }, docs: { "README.md": page } });
  expect(found).toEqual(["README.md:2", "README.md:4"]);
});
