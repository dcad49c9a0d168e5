import type { CodeText } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";

/** How the programs of a family say their name: patterns over the text whose first group is the name. */
const NAMES: Readonly<Record<string, readonly RegExp[]>> = {
  go: [/&cli\.App\s*\{\s*Name:\s*"([\w-]+)"/, /\broot\w*\s*:?=\s*&cobra\.Command\s*\{\s*Use:\s*"([\w-]+)/i],
  javascript: [
    /\bprogram\s*\.\s*name\(\s*["']([\w-]+)["']/,
    /\bnew Command\(\s*["']([\w-]+)["']/,
    /\bcac\(\s*["']([\w-]+)["']/,
    /\.scriptName\(\s*["']([\w-]+)["']/,
    /\bmeta\s*:\s*\{\s*name\s*:\s*["']([\w-]+)["']/,
  ],
  jvm: [/@(?:CommandLine\.)?Command\(\s*name\s*=\s*"([\w-]+)"/],
  python: [/\bArgumentParser\([^()]*?\bprog\s*=\s*["']([\w-]+)["']/, /\bprog_name\s*=\s*["']([\w-]+)["']/],
  ruby: [/\.(?:banner\s*=|program_name\s*=)\s*["'](?:Usage:\s*)?([\w-]+)/],
  rust: [/#\[(?:command|clap)\([^\]]*?\bname\s*=\s*"([\w-]+)"/, /\b(?:Command|App)::new\(\s*"([\w-]+)"/],
};

/** Paths of a program's own file, with the name as the first group. */
const FILES: readonly RegExp[] = [
  /(?:^|\/)cmd\/([\w-]+)\/[^/]+\.go$/,
  /(?:^|\/)src\/bin\/([\w-]+)(?:\/main)?\.rs$/,
  /(?:^|\/)(?:bin|exe)\/([\w-]+)(?:\.(?:js|mjs|cjs|ts|rb|py|php))?$/,
  /(?:^|\/)([\w-]+)\/__main__\.py$/,
  /(?:^|\/)([\w.-]+\.sh)$/,
];

/** Gives the flags and commands of a file the program that it is, if the file or its path says so. */
export function withProgram(things: readonly Thing[], code: CodeText): readonly Thing[] {
  if (!things.some(isTyped)) return things;
  const written = (NAMES[code.family] ?? []).map((name) => name.exec(code.text)?.[1]);
  const program = [...written, ...FILES.map((file) => file.exec(code.path)?.[1])].find(Boolean);
  if (program === undefined) return things;
  return things.map((thing) => (isTyped(thing) ? { ...thing, program } : thing));
}

function isTyped({ kind }: Thing): boolean {
  return kind === "flag" || kind === "command";
}
