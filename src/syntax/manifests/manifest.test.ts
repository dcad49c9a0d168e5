import fc from "fast-check";
import { expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { isManifest, readManifest } from "./manifest.ts";

const sketch = (path: string, text: string) =>
  readManifest(path, text).map(({ kind, key, value }) => `${kind} ${key} = ${value}`);

const FILES: [string, string, string[]][] = [
  [
    "package.json",
    '{ "name": "@a/b", "version": "1.0.0", "bin": "x.js", "engines": { "node": ">=22" }, "scripts": { "test": "run \\"x\\"" }, "exports": { ".": "./i.js", "./c": {} }, "dependencies": { "d": "^1" } }',
    [
      "name name = @a/b",
      "version version = 1.0.0",
      "engine node = >=22",
      "bin b = x.js",
      'script test = run "x"',
      "export . = ./i.js",
      "export ./c = ",
      "dependency d = ^1",
    ],
  ],
  [
    "deno.jsonc",
    '{ // c\n "version": "1", "tasks": { "a": "b", }, }',
    ["version version = 1", "script a = b"],
  ],
  [
    "composer.json",
    '{ "name": "a/b", "require": { "php": "^8", "c/d": "1" } }',
    ["name name = a/b", "engine php = ^8", "dependency c/d = 1"],
  ],
  [
    "pyproject.toml",
    '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["b>=2", "c[d] ~= 1"]\n[project.scripts]\nrun = "a:main"\n[project.optional-dependencies]\ndev = ["e"]\n[tool.poetry.dependencies]\npython = "^3"\nf = { version = "4", extras = [] }',
    [
      "name name = a",
      "version version = 1",
      "engine python = >=3.9",
      "dependency b = >=2",
      "dependency c = [d] ~= 1",
      "bin run = a:main",
      "feature dev = ",
      "dependency e = ",
      "engine python = ^3",
      "dependency f = 4",
    ],
  ],
  [
    "setup.cfg",
    "[metadata]\nname = a\n[options]\npython_requires = >=3.8\ninstall_requires =\n  b>=1\n[options.entry_points]\nconsole_scripts =\n  x = a:m",
    ["name name = a", "engine python = >=3.8", "dependency b = >=1", "bin x = a:m"],
  ],
  [
    "Cargo.toml",
    '[package]\nname = "a"\nversion = "1"\nrust-version = "1.70"\n[features]\ndefault = ["x"]\n[[bin]]\nname = "y"\n[dependencies]\nb = { version = "2", features = ["q"] }\nc = "3"',
    [
      "name name = a",
      "version version = 1",
      "engine rust = 1.70",
      "feature default = ",
      "bin y = y",
      "dependency b = 2",
      "dependency c = 3",
    ],
  ],
  [
    "go.mod",
    "module a.b/c\n\ngo 1.22\n\nrequire (\n\td.e/f v1.2.3 // indirect\n)\nrequire g v2",
    ["name module = a.b/c", "engine go = 1.22", "dependency d.e/f = v1.2.3", "dependency g = v2"],
  ],
  [
    "src/Abacus/Abacus.csproj",
    "<Project><PropertyGroup><TargetFramework>net8.0</TargetFramework><Version>1.2</Version></PropertyGroup></Project>",
    ["engine dotnet = 8.0", "version version = 1.2"],
  ],
  [
    "Dockerfile",
    'FROM --platform=x node:22-slim AS b\nARG V=1\nENV A=b C="d e"\nENV OLD value here\nEXPOSE 80 443/tcp',
    [
      "image node = 22-slim",
      "arg V = 1",
      "env A = b",
      "env C = d e",
      "env OLD = value here",
      "port 80 = 80",
      "port 443/tcp = 443/tcp",
    ],
  ],
  [
    "docker-compose.yml",
    'services:\n  web:\n    image: a:1\n    ports: ["80:80"]\n    environment:\n      - X=1\n  db:\n    environment:\n      Y: "2"',
    ["service web = ", "image web = a:1", "port 80:80 = 80:80", "env X = 1", "service db = ", "env Y = 2"],
  ],
  [
    "action.yml",
    "name: n\ninputs:\n  a:\n    default: 'x'\n  b:\n    required: true\noutputs:\n  c: {}\nruns:\n  using: node20",
    ["name name = n", "input a = x", "input b = ", "output c = ", "engine using = node20"],
  ],
  [
    ".github/workflows/ci.yml",
    "on:\n  workflow_call:\n    inputs:\n      a: { default: 1 }\nenv:\n  B: c\njobs:\n  t:\n    steps:\n      - uses: actions/setup-node@v4\n        with: { node-version: 22 }",
    ["input a = 1", "env B = c", "dependency actions/setup-node = v4", "engine node = 22"],
  ],
  [".env.example", "A=1 # why\n# B='x y'\nexport C=\n", ["env A = 1", "env B = x y", "env C = "]],
  ["Makefile", "X := 1\n.PHONY: a\nbuild: dep\n\tcc\n", ["script build =  dep"]],
  [".nvmrc", "v22.1\n", ["engine node = 22.1"]],
  [".tool-versions", "nodejs 22\npython 3.1\n", ["engine nodejs = 22", "engine python = 3.1"]],
  [
    ".cargo/config.toml",
    '[alias]\nxtask = "run -p xtask --"\nb = ["build", "-r"]\n[build]\njobs = 1',
    ["script xtask = run -p xtask --", "script b = "],
  ],
  [
    "justfile",
    "set shell := ['sh']\nx := 'y'\nalias b := build\n# why\n@build target='a:b' +rest: dep\n  cc\n_hidden:\n  x\ntest-all:\n  t",
    ["script b = build", "script build = target='a:b' +rest", "script test-all = "],
  ],
  [
    "Taskfile.yml",
    "version: '3'\ntasks:\n  build:\n    desc: Builds it\n    aliases: [b]\n    cmds: [cc]\n  lint: go vet",
    ["script build = Builds it", "script b = b", "script lint = go vet"],
  ],
  [
    "tox.ini",
    "[tox]\nenvlist = py{310,311}, lint\n[testenv]\ncommands = x\n[testenv:docs]\ncommands = y\n[testenv:lint]\n",
    ["script py310 = py{310,311}", "script py311 = py{310,311}", "script lint = lint", "script docs = "],
  ],
  [
    "sub/pyproject.toml",
    '[project.entry-points."a.b"]\np = "m:f"\n[tool.poe.tasks]\nlint = "ruff"\n[tool.poe.tasks.test]\ncmd = "pytest"\nhelp = "x"\n[tool.hatch.envs.dev.scripts]\ncov = ["a"]\n[tool.tox]\nlegacy_tox_ini = """\n[tox]\nenvlist = py\n"""\n[tool.tox.env.doc]\ndeps = []',
    [
      "entry-point p = m:f",
      "script lint = ruff",
      "script test = pytest",
      "script cov = ",
      "script py = py",
      "script doc = ",
    ],
  ],
  [
    "noxfile.py",
    '@nox.session(python=["3.9"])\n@nox.parametrize("a", [1])\ndef tests(session):\n    run(name="no")\n\n@nox.session(\n    name="type-check",\n)\ndef types(session): ...\n\ndef helper(): ...\n',
    ["script tests = ", "script type-check = "],
  ],
  [
    "setup.py",
    "VERSION = '1'\nsetup(\n  name='a',\n  version=\"1.2\",\n  python_requires='>=3.8',\n  install_requires=['b>=1', \"c\"],\n  entry_points={'console_scripts': ['x = a:m', 'y=a:n']},\n)",
    [
      "name name = a",
      "version version = 1.2",
      "engine python = >=3.8",
      "dependency b = >=1",
      "dependency c = ",
      "bin x = a:m",
      "bin y = a:n",
    ],
  ],
  [
    "setup.py",
    'arguments = {\n    "name": "a",\n    "python_requires": ">=3.9",\n}\nsetup(**arguments)\n',
    ["name name = a", "engine python = >=3.9"],
  ],
  [
    "build.gradle",
    "version = '1.0'\ntask hello { }\ntask('two')\ntasks.register('three', Copy) { }\ntasks.named('test') { }",
    ["version version = 1.0", "script hello = ", "script two = ", "script three = "],
  ],
  [
    "app/build.gradle.kts",
    'version = "1.0"\ntasks.register<Copy>("one") { }\nval two by tasks.registering { }',
    ["version version = 1.0", "script one = ", "script two = "],
  ],
  [
    "settings.gradle.kts",
    'rootProject.name = "x"\ninclude(":a", ":b")\n',
    ["name name = x", "workspace :a = ", "workspace :b = "],
  ],
  [
    "Rakefile",
    "task default: :test\nnamespace :db do\n  task :migrate, [:v] => :env do |t|\n    x\n  end\nend\ntask 'lint' => []",
    ["script default = default", "script db:migrate = migrate", "script lint = lint"],
  ],
  [
    "a.gemspec",
    "Gem::Specification.new do |s|\n  s.name = 'a'\n  s.version = A::VERSION\n  s.required_ruby_version = '>= 3.1'\n  s.executables = %w[a b]\n  s.add_dependency 'c', '~> 1'\nend",
    ["name name = a", "engine ruby = >= 3.1", "bin a = a", "bin b = b", "dependency c = ~> 1"],
  ],
  ["Gemfile", "ruby '3.3'\ngem 'a', '~> 1'\n", ["engine ruby = 3.3", "dependency a = ~> 1"]],
  [
    "pnpm-workspace.yaml",
    "packages:\n  - 'packages/*'\n  - apps/web\n",
    ["workspace packages/* = packages/*", "workspace apps/web = apps/web"],
  ],
  ["root/package.json", '{ "workspaces": { "packages": ["a/*"] } }', ["workspace a/* = a/*"]],
  [
    "go.work",
    "go 1.22\nuse (\n\t./a\n\t./b\n)\n",
    ["engine go = 1.22", "workspace ./a = ./a", "workspace ./b = ./b"],
  ],
];

test.each(FILES)("%s", (path, text, expected) => {
  expect(sketch(path, text)).toEqual(expected);
});

test.each(FILES)("the items of %s have exact regions, with any line endings", (path, text) => {
  for (const whole of [text, text.replaceAll("\n", "\r\n"), `\uFEFF${text}`])
    for (const { key, value, region, keyRegion } of readManifest(path, whole)) {
      const written = whole.slice(region.start, region.end);
      if (value !== "" && !written.includes("\\")) expect(written).toContain(value);
      if (keyRegion) expect(whole.slice(keyRegion.start, keyRegion.end)).toContain(key);
    }
});

test("other files are not manifests", () => {
  expect(["a/package.json", "x/Dockerfile.dev", "package.jsonc", "my-package.json"].map(isManifest)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(readManifest("README.md", "# a")).toEqual([]);
});

test("broken and hostile manifests give what can be read, and never throw", () => {
  expect(sketch("package.json", '{ "name": "a", "version": "1", ')).toEqual([
    "name name = a",
    "version version = 1",
  ]);
  expect(sketch("package.json", '{ "scripts": { "__proto__": "x" } }')).toEqual(["script __proto__ = x"]);
  const piece = fc.constantFrom(
    ..."{|}|[|]|\"|'|:|,|=|\n|a|services:|inputs:|[project]|ENV |&a |*a |- |#|  |\t|name|1".split("|"),
  );
  const text = fc.array(piece, { maxLength: 50 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(fc.constantFrom(...FILES.map(([path]) => path)), text, (path, words) => {
      for (const { region } of readManifest(path, words))
        expect(region.end).toBeLessThanOrEqual(words.length);
    }),
    { numRuns: 3000 },
  );
});

test.each(["[", "{", '{"a":', " ", "a: [", "- ", "A=", "ENV A ", '"', "a = [", "a.", "# ", "\t", "a b "])(
  "a megabyte of %j is read in linear work",
  (unit) => {
    const text = unit.repeat(Math.ceil(900_000 / unit.length));
    for (const [path] of FILES) {
      expect(measureWork(() => readManifest(path, text))).toBeLessThan(100);
    }
  },
);
