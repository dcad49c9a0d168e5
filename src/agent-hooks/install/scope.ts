import type { HookClient, UserFile } from "../clients/client.ts";

/** Where hooks are installed: in one project, or for everything that a user does. */
export type HookScope = "project" | "user";

/** The machine as far as clients' own settings are concerned. */
export type UserMachine = {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** A client's hook file: the folder that Suture opens, and the path in it. */
export type HookFilePlace = { readonly root: string; readonly path: string };

export function locateHookFile(
  { file }: HookClient,
  {
    scope,
    root,
    machine,
  }: { readonly scope: HookScope; readonly root: string; readonly machine: UserMachine },
): HookFilePlace {
  if (scope === "project") return { root, path: file.project };
  return { root: userFolder(file.user, machine), path: file.user.file };
}

/** The folder that a client keeps for the user. */
export function userFolder({ folder, variable }: UserFile, { home, env }: UserMachine): string {
  const named = variable === undefined ? undefined : env[variable];
  const { join, isAbsolute } = process.getBuiltinModule("node:path");
  return named && isAbsolute(named) ? named : join(home, folder);
}
