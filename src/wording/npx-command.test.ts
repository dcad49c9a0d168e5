import { expect, test } from "vitest";
import { isTakenFromFolder } from "./npx-command.ts";

test.each([
  "npx -y suture agent start",
  "npx suture@0.1.0 agent start",
  "npx.cmd -y suture agent start",
  "npx -y --prefix . suture agent start",
  "npx --prefix=./tools suture agent start",
  "npx -y suture agent start --prefix ~/",
  "npx -C /tmp -y suture agent start",
  "npm exec -- suture agent start",
  "npm --silent exec suture agent start",
  "npm x -y suture agent start",
  "npm run suture agent start",
  "pnpx suture agent start",
  "pnpm dlx suture agent start",
  "pnpm --silent exec suture agent start",
  "yarn suture agent start",
  "bunx suture agent start",
  "bun x suture agent start",
  "deno run -A npm:suture agent start",
  "./node_modules/.bin/suture agent start",
  "node node_modules/suture/bin/suture.cjs agent start",
  'node "$CLAUDE_PROJECT_DIR/node_modules/suture/bin/suture.cjs" agent start',
  "../bin/suture agent start",
])("may start a program of the folder: %s", (command) => {
  expect(isTakenFromFolder(command)).toBe(true);
  expect(isTakenFromFolder(JSON.stringify({ hooks: [{ type: "command", command }] }))).toBe(true);
});

test.each([
  "suture agent start",
  "/usr/lib/node_modules/suture/bin/suture.cjs agent start",
  "node /usr/lib/node_modules/suture/bin/suture.cjs agent start",
  'node "C:\\Program Files\\node_modules\\suture\\bin\\suture.cjs" agent start',
  "node C:/Users/me/node_modules/suture/bin/suture.cjs agent start",
  "npx -y --prefix ~/ suture@0.1.0 agent start",
  "npx -y --prefix ~/ --package git+https://host.test/o/suture.git#v1 -- suture agent start",
  "npx -y --prefix=/home/me suture agent start",
  'npx -y --prefix "$HOME" suture agent start',
  "/opt/tools/npx/suture agent start",
])("starts no program of the folder: %s", (command) => {
  expect(isTakenFromFolder(command)).toBe(false);
});
