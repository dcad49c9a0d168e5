import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

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
];

const head = `import { openSession, unwrap } from "../src/index.ts";
const session = unwrap(await openSession({ root: "." }));
const reader = unwrap(await openSession({ root: ".", mode: "analyze" }));
const read = await session.call("read_file", { path: "a" });
`;

test("a misspelt tool, field or code does not compile", () => {
  const folder = mkdtempSync(join(process.cwd(), ".types-"));
  try {
    symlinkSync(join(process.cwd(), "src"), join(folder, "src"));
    const files = lines.flatMap(([, right, wrong], i) => [
      [`right-${i}.ts`, right],
      [`wrong-${i}.ts`, wrong],
    ]);
    for (const [name, line] of files)
      writeFileSync(join(folder, name!), `${head}export const x = async () => { ${line}; };\n`);
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../tsconfig.json", include: ["*.ts"], exclude: [] }),
    );
    const ran = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", folder], {
      encoding: "utf8",
    });
    const failed = (name: string): boolean => ran.stdout.includes(`${name}(5,`);
    expect(lines.filter((_, i) => failed(`right-${i}.ts`)).map(([what]) => what)).toEqual([]);
    expect(lines.filter((_, i) => !failed(`wrong-${i}.ts`)).map(([what]) => what)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
