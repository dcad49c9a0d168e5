/** Programs that look for another one in the folder first, and paths that count from it. */
const fromFolder =
  /(?<![\w./\\-])(?:(?:npx|pnpx|bunx|yarn)(?:\.cmd)?|(?:npm|pnpm|bun|deno)(?:\.cmd)?(?:\s+-\S+)*\s+(?:exec|x|dlx|run))\s|(?:^|[\s"'])(?:\.{1,2}[\\/]|\$\{?\w*(?:PROJECT|WORKSPACE|PWD)\w*\}?[\\/]|node_modules[\\/])/;
const outside = /\s--prefix(?:\s+|=)\\?["']?(?:~|\/|[A-Za-z]:|\$HOME)/;

/** Whether a command may start a program of the folder it is called in. */
export function isTakenFromFolder(command: string): boolean {
  const words = command.split(/\sagent\s/)[0]!;
  return fromFolder.test(words) && !outside.test(words);
}

/** Hooks of an older version that can start a program of the project, and what replaces them. */
export const unsafeHooks = {
  what: (title: string, file: string): string =>
    `the hooks of ${title} in ${file} can start a program of the project`,
  remedy: (client: string, scope: string): string =>
    `run \`suture agent install --target ${client}${scope === "user" ? " --user" : ""}\` to replace them`,
};
