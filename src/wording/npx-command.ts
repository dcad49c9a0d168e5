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
