import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";

const home = mkdtempSync(join(tmpdir(), "command "));
mkdirSync(join(home, "bin"));
cpSync("bin", join(home, "bin"), { recursive: true });
afterAll(() => rmSync(home, { recursive: true, force: true }));

test.each(["10.24.1", "18.20.8", "20.20.2", "22.17.1"])(
  "under Node %s the command says what it needs in one line",
  (node) => {
    const { status, stdout, stderr } = runUnder(node);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr: `suture needs Node 22.18 or newer and this is ${node}; to run it anyway: npx -y --prefix ~/ -p node@24 -- node ${JSON.stringify(join(home, "bin/suture.cjs"))} ...\n`,
    });
  },
);

test("under an old Node the command of a clone runs under the Node that `npm start` fetched", () => {
  const program = join(home, ".node/node-any/node_modules/node-any/bin/node");
  mkdirSync(dirname(program), { recursive: true });
  symlinkSync(process.execPath, program);
  mkdirSync(join(home, "dist/cli"), { recursive: true });
  writeFileSync(
    join(home, "dist/cli/main.cjs"),
    "console.log(process.argv.slice(2).join()); process.exitCode = 3;",
  );
  const { status, stdout, stderr } = runUnder("20.20.2");
  rmSync(join(home, ".node"), { recursive: true });
  rmSync(join(home, "dist"), { recursive: true });
  expect({ status, stdout, stderr }).toEqual({ status: 3, stdout: "edit,a b\n", stderr: "" });
});

test.each(["22.18.0", "23.0.0", "24.0.0"])(
  "under Node %s the command asks to be built, then runs",
  (node) => {
    const { status, stderr } = runUnder(node);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "suture is not built in this checkout: run `npm run build` first\n",
    });
    mkdirSync(join(home, "dist/cli"), { recursive: true });
    writeFileSync(join(home, "dist/cli/main.cjs"), "process.stdout.write(process.argv.slice(2).join());");
    expect(runUnder(node)).toMatchObject({ status: 0, stdout: "edit,a b", stderr: "" });
    rmSync(join(home, "dist"), { recursive: true });
  },
);

function runUnder(node: string) {
  const pretend = join(home, "pretend.cjs");
  writeFileSync(pretend, `Object.defineProperty(process, "versions", { value: { node: "${node}" } });`);
  const args = ["--require", pretend, join(home, "bin/suture.cjs"), "edit", "a b"];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}
