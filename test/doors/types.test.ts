import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

// Each line compiles as written on the left, and must not compile as written on the right.
const lines: readonly (readonly [what: string, right: string, wrong: string])[] = [
  [
    "the name of a tool",
    'session.call("read_file", { path: "a" })',
    'session.call("read_fiel", { path: "a" })',
  ],
  [
    "a field of the input",
    'session.call("read_file", { path: "a" })',
    'session.call("read_file", { pth: "a" })',
  ],
  ["a missing field", 'session.call("read_file", { path: "a" })', 'session.call("read_file", {})'],
  [
    "the code of a refusal",
    'if (!read.success) read.code === "ambiguous"',
    'if (!read.success) read.code === "ambigous"',
  ],
  ["a field of an answer before success is known", "if (read.success) read.content", "read.content"],
  ["a field of another tool's answer", "if (read.success) read.totalLines", "if (read.success) read.matches"],
  [
    "a tool that the mode does not offer",
    'reader.call("read_file", { path: "a" })',
    'reader.call("edit_file", { path: "a", old_content: "", new_content: "" })',
  ],
  ["a tool of the AI SDK", "session.tools.ai().edit_file", "session.tools.ai().edit_fiel"],
  [
    "a tool of the AI SDK that the mode does not offer",
    "reader.tools.ai().read_file",
    "reader.tools.ai().edit_file",
  ],
  ["the mode", 'openSession({ root: ".", mode: "modify" })', 'openSession({ root: ".", mode: "writer" })'],
  [
    "the choice of matches",
    'openSession({ root: ".", matches: "only" })',
    'openSession({ root: ".", matches: "all" })',
  ],
  [
    "the answer of an approver",
    'openSession({ root: ".", approve: async () => true })',
    'openSession({ root: ".", approve: async () => 1 })',
  ],
  [
    "the target of an edit",
    'session.plan([{ path: "a", target: { quote: "x" }, text: "" }])',
    'session.plan([{ path: "a", target: { qoute: "x" }, text: "" }])',
  ],
  [
    "a tool of another profile",
    'docs.call("edit_article", { path: "a", edits: [] })',
    'session.call("edit_article", { path: "a", edits: [] })',
  ],
  [
    "the profile",
    'openSession({ root: ".", profile: "docs" })',
    'openSession({ root: ".", profile: "code" })',
  ],
  [
    "an option of a session",
    'openSession({ root: ".", author: "a" })',
    'openSession({ root: ".", autor: "a" })',
  ],
  [
    "a session where a function takes one",
    "((one: Session) => one.root)(session)",
    "((one: Session) => one.root)(reader)",
  ],
  ["an option of a commit", "session.commit(plan, { exact: true })", "session.commit(plan, { exakt: true })"],
  ["the target of undo", 'session.undo({ entry: "1" })', 'session.undo({ entri: "1" })'],
  ["a field of a refusal", "if (!read.success) read.error", "if (!read.success) read.errr"],
  [
    "the code of a planned refusal",
    'if (!planned.ok) planned.refusal.code === "not-found"',
    'if (!planned.ok) planned.refusal.code === "notfound"',
  ],
  ["a value before it is known", "if (planned.ok) planned.value", "planned.value"],
  [
    "an operation of apply_patch",
    'session.tools.applyPatch().run({ type: "apply_patch_call", call_id: "1", operation: { type: "delete_file", path: "a" } })',
    'session.tools.applyPatch().run({ type: "apply_patch_call", call_id: "1", operation: { type: "remove_file", path: "a" } })',
  ],
  [
    "what an approver sees",
    'openSession({ root: ".", approve: ({ diff }) => diff === "" })',
    'openSession({ root: ".", approve: ({ dif }) => dif === "" })',
  ],
];

const head = `import { openSession, type Session, unwrap } from "suture";
const session = unwrap(await openSession({ root: "." }));
const reader = unwrap(await openSession({ root: ".", mode: "analyze" }));
const docs = unwrap(await openSession({ root: ".", profile: "docs" }));
const read = await session.call("read_file", { path: "a" });
const planned = await session.plan([]);
const plan = unwrap(planned);
`;
const headLines = head.split("\n").length;

const settings = {
  bundler: { module: "esnext", moduleResolution: "bundler" },
  node16: { module: "node16", moduleResolution: "node16" },
};

describe.each(Object.entries(settings))("with the module resolution %s, in strict mode", (_, resolution) => {
  let complaints: string;
  beforeAll(async () => {
    complaints = await compile(resolution);
  });
  const failed = (name: string): boolean => complaints.includes(`${name}(`);

  test("a misspelt tool, field or code does not compile", () => {
    const isWrongThere = (name: string): boolean => complaints.includes(`${name}(${headLines},`);
    expect(lines.filter((_, i) => failed(`right-${i}.ts`)).map(([what]) => what)).toEqual([]);
    expect(lines.filter((_, i) => !isWrongThere(`wrong-${i}.ts`)).map(([what]) => what)).toEqual([]);
  });

  test("every program of the documentation and of the examples compiles", () => {
    expect(complaints.split("\n").filter((line) => /sample-|example-/.test(line))).toEqual([]);
    expect(samples.length).toBeGreaterThan(15);
  });
});

/** The programs of the pages and of `examples/library`, by file name. */
const samples = [
  ...globSync(["README.md", "docs/*.md"]).flatMap((page) =>
    Array.from(readFileSync(page, "utf8").matchAll(/^```ts\n(.*?)^```$/gms), ([, text], i) => [
      `sample-${basename(page, ".md")}-${i}.ts`,
      text!,
    ]),
  ),
  ...globSync("examples/library/*.ts").map((path) => [
    `example-${basename(path)}`,
    readFileSync(path, "utf8"),
  ]),
] as const;

// In the repository, so that imports of other packages are found.
const folder = mkdtempSync(join(process.cwd(), ".types-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles every line and sample as a user's strict project does, against the sources. Returns the compiler's lines. */
async function compile(resolution: Readonly<Record<string, string>>): Promise<string> {
  const table = lines.flatMap(([, right, wrong], i) => [
    [`right-${i}.ts`, `${head}export const x = async () => { ${right}; };\n`],
    [`wrong-${i}.ts`, `${head}export const x = async () => { ${wrong}; };\n`],
  ]);
  // A page's program without imports is a module too.
  for (const [name, text] of [...table, ...samples])
    writeFileSync(join(folder, name!), `${text}\nexport {};\n`);
  const compilerOptions = {
    ...resolution,
    target: "es2023",
    lib: ["es2024", "esnext.disposable"],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    types: ["node"],
    paths: Object.fromEntries(
      Object.entries(manifest.exports).flatMap(([entry, door]) =>
        typeof door === "string"
          ? []
          : [
              [
                `suture${entry.slice(1)}`,
                [`../${door.default.replace("./dist/", "src/").replace(/\.js$/, ".ts")}`],
              ],
            ],
      ),
    ),
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = ["node_modules/typescript/bin/tsc", "-p", folder, "--pretty", "false"];
  const ran = await promisify(execFile)(process.execPath, tsc, { maxBuffer: 1 << 26 }).catch(
    (error: { stdout: string }) => error,
  );
  return ran.stdout;
}
