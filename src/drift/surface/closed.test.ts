import { expect, test } from "vitest";
import { readSurface } from "./read-surface.ts";

test.each([
  ["a parser", "cli.py", 'p.add_argument("--port")\n', "--port", undefined],
  [
    "a parser that lets others pass",
    "cli.py",
    'p.add_argument("--port")\np.parse_known_args()\n',
    "--port",
    true,
  ],
  ["a class", "a.ts", "export class App {\n  start() {}\n}\n", "App", undefined],
  [
    "a Python class that answers for any member",
    "a.py",
    "class App:\n    def stop(self): ...\n    def __getattr__(self, name): ...\n",
    "App",
    true,
  ],
  [
    "a Ruby class that answers for any member",
    "a.rb",
    "class App\n  def stop; end\n  def method_missing(name); end\nend\n",
    "App",
    true,
  ],
  [
    "a type with an index signature",
    "a.ts",
    "export interface AppOptions {\n  port?: number;\n  [key: string]: unknown;\n}\n",
    "AppOptions",
    true,
  ],
])("%s is open or closed", async (_, path, text, name, open) => {
  const things = await readSurface(path, text);
  expect(things.find((thing) => thing.name === name)!.open).toBe(open);
});
