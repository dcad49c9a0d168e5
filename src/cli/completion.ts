import { type Description, globalOptions, type Option } from "./command.ts";
import { describeAll } from "./help.ts";

export const shells = ["bash", "zsh", "fish"] as const;

/** A completion script for a shell: commands, options, their choices, and files. */
export async function printCompletion(shell: (typeof shells)[number]): Promise<string> {
  const all = await describeAll();
  return { bash: forBash, zsh: forZsh, fish: forFish }[shell](all);
}

function forBash(all: readonly Description[]): string {
  const cases = all.map((command) => {
    const words = optionsOf(command).flatMap(spellings).join(" ");
    return `    ${command.name}) words="${words}" ;;`;
  });
  const choices = choicesOf(all).map(
    ([name, values]) =>
      `    --${name}) COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$word")); return ;;`,
  );
  return `# suture completion for bash
_suture() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) ;; *) command="\${COMP_WORDS[i]}"; break ;; esac
  done
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "${all.map(({ name }) => name).join(" ")} --version --help" -- "$word"))
    return
  fi
  case "$before" in
${choices.join("\n")}
  esac
  case "$command" in
${cases.join("\n")}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
  else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _suture suture
`;
}

function forZsh(all: readonly Description[]): string {
  const names = all.map(({ name, summary }) => `    '${name}:${quote(summary)}'`);
  const cases = all.map((command) => {
    const specs = optionsOf(command).flatMap((option) =>
      spellings(option).map((spelled) => zshOption(option, spelled)),
    );
    return `    ${command.name}) _arguments ${[...specs, "'*:file:_files'"].join(" ")} ;;`;
  });
  return `#compdef suture
# suture completion for zsh
_suture() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
_suture "$@"
`;
}

function zshOption({ value, choices, text }: Option, spelled: string): string {
  const label = quote(text).replace(/[[\]:]/g, "\\$&");
  const argument = value === undefined ? "" : `:${value}:${choices ? `(${choices.join(" ")})` : "_files"}`;
  return `'${spelled}[${label}]${argument}'`;
}

function forFish(all: readonly Description[]): string {
  const lines = all.flatMap((command) => [
    `complete -c suture -n __fish_use_subcommand -f -a ${command.name} -d '${quote(command.summary)}'`,
    ...optionsOf(command).map(({ name, short, value, choices, text }) =>
      [
        `complete -c suture -n '__fish_seen_subcommand_from ${command.name}'`,
        `-l ${name}`,
        ...(short ? [`-s ${short}`] : []),
        ...(value === undefined ? [] : ["-r"]),
        ...(choices ? [`-f -a '${choices.join(" ")}'`] : []),
        `-d '${quote(text)}'`,
      ].join(" "),
    ),
  ]);
  return `# suture completion for fish\n${lines.join("\n")}\n`;
}

function optionsOf(command: Description): readonly Option[] {
  return [...command.options, ...globalOptions];
}

function spellings({ name, short }: Option): string[] {
  return [`--${name}`, ...(short ? [`-${short}`] : [])];
}

function choicesOf(all: readonly Description[]): [string, readonly string[]][] {
  const options = all.flatMap(optionsOf).filter(({ choices }) => choices);
  return [...new Map(options.map(({ name, choices }) => [name, choices!]))];
}

/** Text for a single-quoted word of any of the shells. */
function quote(text: string): string {
  return text.replace(/['`\\]/g, "");
}
