/** How a coding agent can call Suture on this machine, as this process was called. */
export function callName(): string {
  const { npm_command, PATH = "" } = process.env;
  if (npm_command === "exec") return "npx -y suture";
  const { delimiter, join } = process.getBuiltinModule("node:path");
  const names = process.platform === "win32" ? ["suture.cmd", "suture.exe"] : ["suture"];
  const isThere = (path: string): boolean => process.getBuiltinModule("node:fs").existsSync(path);
  const isOnPath = PATH.split(delimiter).some((folder) =>
    names.some((name) => folder && isThere(join(folder, name))),
  );
  return isOnPath ? "suture" : `node ${quoted(process.argv[1] ?? "suture")}`;
}

function quoted(path: string): string {
  return /^[\w./:@\\-]+$/.test(path) ? path : JSON.stringify(path);
}
