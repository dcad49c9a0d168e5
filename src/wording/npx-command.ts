/**
 * The words that start one version of Suture in any folder. Without `--prefix`, npx takes a program of that name from
 * the folder itself, also when a version is given. Npm reads `~/` as the home folder, with or without a shell.
 */
export function npxWords(version: string): readonly string[] {
  return ["npx", "-y", "--prefix", "~/", `suture@${version}`];
}

/** Whether a command may start a program of the folder it is called in: `npx` or `npm exec` without another prefix. */
export function isTakenFromFolder(command: string): boolean {
  return (
    /\b(?:npx|npm\s+(?:exec|x)|pnpm\s+(?:exec|dlx)|yarn|bunx)\s/.test(command) &&
    !/\s--prefix[\s=]/.test(command)
  );
}

/** Hooks of an older version that can start a program of the project, and what replaces them. */
export const unsafeHooks = {
  what: (title: string, file: string): string =>
    `the hooks of ${title} in ${file} can start a program of the project`,
  remedy: (client: string, scope: string): string =>
    `run \`suture agent install --target ${client}${scope === "user" ? " --user" : ""}\` to replace them`,
};
