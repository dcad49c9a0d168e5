import { expect, test } from "vitest";
import { isClosed } from "./closed.ts";
import { createOffered } from "./offered.ts";
import { readSurface } from "./read-surface.ts";

const BASE = "export class Base {\n  start() {}\n}\n";

test.each<[string, Record<string, string>, string, boolean]>([
  ["a parser", { "cli.py": 'p.add_argument("--port")\n' }, "--port", true],
  [
    "a parser that lets others pass",
    { "cli.py": 'p.add_argument("--port")\np.parse_known_args()\n' },
    "--port",
    false,
  ],
  ["an enumeration", { "a.ts": "export enum Mode { Fast, Slow }\n" }, "Fast", true],
  ["scripts", { "package.json": '{ "scripts": { "build": "tsc" } }' }, "build", true],
  ["a class without a base", { "a.ts": BASE }, "start", true],
  [
    "a class whose base is in the project",
    { "a.ts": BASE, "b.ts": "export class App extends Base {\n  stop() {}\n}\n" },
    "stop",
    true,
  ],
  [
    "a class whose base is another project's",
    { "b.ts": "export class App extends Foreign {\n  stop() {}\n}\n" },
    "stop",
    false,
  ],
  [
    "a Python class that answers for any member",
    { "a.py": "class App:\n    def stop(self): ...\n    def __getattr__(self, name): ...\n" },
    "stop",
    false,
  ],
  ["a Python class of fields", { "a.py": "class AppConfig(BaseModel):\n    port: int = 80\n" }, "port", true],
  [
    "a Ruby class that answers for any member",
    { "a.rb": "class App\n  def stop; end\n  def method_missing(name); end\nend\n" },
    "stop",
    false,
  ],
  [
    "a type with an index signature",
    { "a.ts": "export interface AppOptions {\n  port?: number;\n  [key: string]: unknown;\n}\n" },
    "port",
    false,
  ],
  [
    "a struct that embeds one of the project",
    {
      "a.go":
        "package app\n\ntype Base struct {\n\tName string\n}\n\ntype App struct {\n\tBase\n\tPort int\n}\n",
    },
    "Port",
    true,
  ],
  [
    "a struct that embeds another project's",
    { "a.go": "package app\n\ntype App struct {\n\thttp.Server\n\tPort int\n}\n" },
    "Port",
    false,
  ],
  ["a variable has no owner", { "a.py": 'os.environ["APP_PORT"]\n' }, "APP_PORT", false],
])("%s is closed or open", async (_, files, name, closed) => {
  const read = await Promise.all(Object.entries(files).map(([path, text]) => readSurface(path, text)));
  const things = read.flat();
  const member = things.find((thing) => thing.name === name)!;
  const find = async (sought: string) => things.filter((thing) => thing.name === sought);
  expect(await isClosed(member, find)).toBe(closed);
});

const NPM = '{ "name": "x", "exports": "./dist/index.js", "bin": "./cli.js" }';
const FUNCTION = "export function open() {}\n";

test.each<[string, Record<string, string>, string, boolean]>([
  ["a source of a package", { "package.json": NPM, "src/open.ts": FUNCTION }, "open", true],
  ["a scratch file beside the manifest", { "package.json": NPM, "try.ts": FUNCTION }, "open", false],
  ["the file that the manifest names", { "package.json": NPM, "cli.js": FUNCTION }, "open", true],
  ["a build script", { "package.json": NPM, "scripts/release.ts": FUNCTION }, "open", false],
  ["a configuration of a tool", { "package.json": NPM, "web/vite.config.ts": FUNCTION }, "open", false],
  [
    "an application that is never published",
    { "package.json": NPM, "apps/web/package.json": '{ "private": true }', "apps/web/src/a.ts": FUNCTION },
    "open",
    false,
  ],
  [
    "a package folder of Python",
    { "pyproject.toml": "", "x/__init__.py": "", "x/a.py": "def open(): ...\n" },
    "open",
    true,
  ],
  [
    "a module beside the package folder",
    { "pyproject.toml": "", "x/__init__.py": "", "try.py": "def open(): ...\n" },
    "open",
    false,
  ],
  ["a module that is the project", { "pyproject.toml": "", "x.py": "def open(): ...\n" }, "open", true],
  ["an internal package of Go", { "internal/a.go": "package a\n\nfunc Open() {}\n" }, "Open", false],
  ["a public package of Go", { "a/a.go": "package a\n\nfunc Open() {}\n" }, "Open", true],
  [
    "a flag of a script",
    { "package.json": NPM, "scripts/run.py": 'p.add_argument("--fast")\n' },
    "--fast",
    true,
  ],
  [
    "what a file keeps to itself",
    { "package.json": NPM, "src/a.ts": "export {};\nfunction open() {}\n" },
    "open",
    false,
  ],
])("%s is offered or not", async (_, files, name, offered) => {
  const read = await Promise.all(Object.entries(files).map(([path, text]) => readSurface(path, text)));
  const thing = read.flat().find((each) => each.name === name)!;
  const isOffered = createOffered({ paths: Object.keys(files), read: async (path) => files[path] ?? null });
  expect(await isOffered(thing)).toBe(offered);
});
