import { type Command, type Description, type Group, globalOptions, type Option } from "./command.ts";
import { commands } from "./commands.ts";
import { paint } from "./terminal/paint.ts";

type Look = { readonly colour: boolean };

const groups: Readonly<Record<Group, string>> = {
  documentation: "Keep documentation true",
  edit: "Read and edit files",
  history: "History and undo",
  serve: "For programs and shells",
};

/** Every command in one screen. */
export function printOverview(all: readonly Description[], look: Look): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  const sections = Object.entries(groups).flatMap(([group, title]) => {
    const members = all.filter((command) => command.group === group);
    if (members.length === 0) return [];
    return [
      "",
      paint(title, "bold", look),
      ...members.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    ];
  });
  return [
    "suture: keeps documents true to the code, by small, exact edits that can be undone",
    `${paint("usage", "bold", look)}  suture COMMAND [OPTIONS]     suture help COMMAND     suture --version`,
    ...sections,
    "",
    `${paint("Global options", "bold", look)}  ${globalOptions.map(shortUsage).join("  ")}`,
    "Exit codes: 0 done, 1 refused or drift found, 2 used wrongly, 3 could not tell or the machine failed.",
  ].join("\n");
}

function shortUsage({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** One command in one screen. */
export function printHelp(command: Description, look: Look): string {
  const title = (text: string): string => paint(text, "bold", look);
  return [
    `suture ${command.name}: ${command.summary}`,
    "",
    ...command.usage.map(
      (usage, i) => `${i === 0 ? title("usage") : "     "}  suture ${`${command.name} ${usage}`.trim()}`,
    ),
    ...(command.options.length > 0 ? ["", title("Options"), ...optionLines(command.options)] : []),
    "",
    title("Global options"),
    ...optionLines(globalOptions),
    "",
    title("Examples"),
    ...command.examples.flatMap(([comment, line]) => [
      `  ${paint(`# ${comment}`, "dim", look)}`,
      `  ${line}`,
    ]),
  ].join("\n");
}

/** Every command as `npm run generate` last printed it: loading the commands themselves takes ten times as long. */
export async function describeAll(): Promise<readonly Description[]> {
  const { default: all } = await import("./descriptions.json", { with: { type: "json" } });
  // The file is printed from values of this type, and a test compares the two.
  return all as unknown as readonly Description[];
}

/** The commands themselves, all of them. */
export async function loadAll(): Promise<Command[]> {
  return Promise.all(Object.values(commands).map(async (load) => (await load()).command));
}

function optionLines(options: readonly Option[]): string[] {
  const spelled = options.map(
    ({ name, short, value }) =>
      `${short ? `-${short}, ` : "    "}--${name}${value === undefined ? "" : ` ${value}`}`,
  );
  const width = Math.max(...spelled.map(({ length }) => length));
  return options.map(
    ({ text, choices }, i) =>
      `  ${spelled[i]!.padEnd(width)}  ${text}${choices ? ` (${choices.join(", ")})` : ""}`,
  );
}

/** Every command as one Markdown page, for the reference. */
export function printPage(all: readonly Description[]): string {
  const plain = { colour: false };
  const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;
  const sections = all.map((command) => `## suture ${command.name}\n\n${fence(printHelp(command, plain))}`);
  return [
    "# The command line",
    "This page is printed by `suture help --markdown`.",
    fence(printOverview(all, plain)),
    ...sections,
  ].join("\n\n");
}
