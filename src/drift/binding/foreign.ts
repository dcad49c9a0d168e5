import { fold } from "../change/names.ts";
import { commandAt, parentKeyAt } from "../pages/command-lines.ts";
import type { Named, Statement } from "../pages/statements.ts";
import type { State } from "../state/state.ts";

/** How a place of a page relates to the project: its own program, another one's, or neither. */
export type Place = "own" | "foreign" | "neither";

/**
 * Whether a name stands in a command of another program, or under a key of a data sample that nothing of the project
 * has: then it is somebody else's.
 */
export async function placeOf(
  statement: Statement,
  at: number,
  { name, isFlag }: Pick<Named, "name" | "isFlag">,
  state: State,
): Promise<Place> {
  const command = commandAt(statement, at);
  if (command && isFlag && OWN_FLAGS.has(command.program))
    return /\s(?:--|run)\s/.test(statement.page.text.slice(command.words, at)) ? "neither" : "foreign";
  if (command) return (await isOwnProgram(command.program, state)) ? "own" : "foreign";
  const parent = isFlag ? null : parentKeyAt(statement, at);
  if (parent === undefined || parent === null) return "neither";
  const { things } = await state.things(name);
  const isOwned = things.some(
    ({ owner, path }) =>
      owner.length === 0 || [...owner, baseOf(path)].some((one) => isAkin(fold(one), fold(parent))),
  );
  return isOwned || things.length === 0 ? "neither" : "foreign";
}

/** `CharacterConfig` or `character.rs` holds what a table `[character]` sets, `Sign` what a list `signs` does. */
function isAkin(type: string, key: string): boolean {
  const [short, long] = type.length < key.length ? [type, key] : [key, type];
  return short === long || (short.length > 2 && (long.startsWith(short) || long.endsWith(short)));
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

/** Whether a program is one that the project installs, or a script of its tree. */
async function isOwnProgram(program: string, state: State): Promise<boolean> {
  if (RUNNERS.has(program) || state.has(program) || state.has(`bin/${program}`)) return true;
  return (await isInstalled(program, state)) || state.isOwnModule(program);
}

/** Whether the project gives its users a program of this name: they run it in folders of their own. */
export async function isInstalled(program: string, state: State): Promise<boolean> {
  const { things } = await state.things(program);
  return things.some(({ kind }) => kind === "command" || kind === "package") || isGoProgram(program, state);
}

/** The program of a folder with a main package of Go, or of the whole module. */
async function isGoProgram(program: string, state: State): Promise<boolean> {
  if (state.has(`cmd/${program}/main.go`) || state.has(`${program}/main.go`)) return true;
  const module = /^module\s+(\S+)/m.exec((await state.text("go.mod")) ?? "")?.[1];
  return state.has("main.go") && module?.split("/").findLast((part) => !/^v\d+$/.test(part)) === program;
}

/** Programs that run what the project declares and hand their flags on to it. */
const PASSING = ["artisan", "console", "rake", "invoke", "manage.py"];
/** Programs that run what the project declares, scripts, tasks, services, and have flags of their own. */
const OWN_FLAGS = new Set([
  "npm",
  "yarn",
  "pnpm",
  "bun",
  "make",
  "just",
  "task",
  "docker",
  "docker-compose",
  "cargo",
  "go",
  "gradle",
  "gradlew",
  "mvn",
  "nox",
  "tox",
  "helm",
]);
const RUNNERS = new Set([...PASSING, ...OWN_FLAGS]);
