import { defined } from "../../../text/model/defined.ts";
import { accept, type Outcome } from "../../../text/model/outcome.ts";
import { type EditFileInput, editFile } from "../../../tools/verbs/edit-file.ts";
import { type Call, type Command, isSet, numberOf, type Options, textOf, writing } from "../../command.ts";
import { runTool, writerFields } from "../../run-tool.ts";
import { readInput } from "../../terminal/input.ts";
import { explainUsageError, usageError } from "../../usage-error.ts";

export const command: Command = {
  name: "edit",
  group: "edit",
  summary: "replace an exact piece of a file",
  usage: ["PATH OLD NEW", "PATH --old-file FILE --new-file FILE"],
  operands: [1, 3],
  options: [
    {
      name: "occurrence",
      short: "o",
      value: "N",
      integer: true,
      text: "which match: 1 first (default), -1 last, 0 all",
    },
    { name: "all", short: "a", text: "every match" },
    { name: "last", text: "the last match" },
    { name: "strict", text: "refuse when there is more than one match" },
    {
      name: "within",
      short: "w",
      value: "NAME",
      text: "look only in this section (`## Install`) or symbol (`Client.get`)",
    },
    {
      name: "fit",
      value: "FIT",
      choices: ["exact", "white-space", "layout"],
      text: "how far the text may differ: exact (default), in white space, or in look-alike characters too (layout)",
    },
    { name: "old-file", value: "FILE", text: "read the text to find from a file, or `-`" },
    { name: "new-file", value: "FILE", text: "read the new text from a file, or `-`" },
    ...writing,
  ],
  examples: [
    [
      "change a default, and say why",
      "suture edit docs/api.md '30 seconds' '60 seconds' -m 'the default is 60 s'",
    ],
    [
      "the second match, in one section",
      "suture edit README.md npm pnpm --within '## Install' --occurrence 2",
    ],
    ["several lines: `-` is standard input", "suture edit src/app.ts 'old();' - < new.txt"],
    ["see it first", "suture edit README.md v1 v2 --all --dry-run"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { options, terminal } = call;
  const [path, ...words] = call.operands as [string, ...string[]];
  const old = sourceOf(textOf(options, "old-file"), words);
  const fresh = sourceOf(textOf(options, "new-file"), words);
  if (!old || !fresh || words.length > 0)
    return usageError(terminal, "edit takes the text to find and the new text", "See `suture help edit`.");
  if (old.file === "-" && fresh.file === "-")
    return usageError(terminal, "standard input can be only one of the two texts");
  const chosen = ["occurrence", "all", "last"].filter((name) => isSet(options, name));
  if (chosen.length > 1) return usageError(terminal, `--${chosen[0]} and --${chosen[1]} exclude each other`);
  const oldText = await readSource(old);
  if (!oldText.ok) return explainUsageError(terminal, oldText.refusal);
  const newText = await readSource(fresh);
  if (!newText.ok) return explainUsageError(terminal, newText.refusal);
  const input = {
    path,
    old_content: oldText.value,
    new_content: newText.value,
    ...occurrenceOf(options),
    ...defined({ within: isSet(options, "within") ? textOf(options, "within") : undefined }),
    ...(isSet(options, "fit") ? { fit: textOf(options, "fit") as EditFileInput["fit"] } : {}),
    ...writerFields(options),
  };
  return runTool(call, "edit_file", (context) => editFile(context, input));
}

/** Where a text comes from: the option that names a file, or the next word, in which `-` is standard input. */
type TextSource = { readonly file?: string; readonly text?: string };

function sourceOf(file: string | undefined, words: string[]): TextSource | undefined {
  if (file !== undefined) return { file };
  const word = words.shift();
  if (word === undefined) return undefined;
  return word === "-" ? { file: "-" } : { text: word };
}

async function readSource({ file, text = "" }: TextSource): Promise<Outcome<string>> {
  return file === undefined ? accept(text) : readInput(file);
}

function occurrenceOf(options: Options): { occurrence?: number } {
  if (isSet(options, "all")) return { occurrence: 0 };
  if (isSet(options, "last")) return { occurrence: -1 };
  const occurrence = numberOf(options, "occurrence");
  return occurrence === undefined ? {} : { occurrence };
}
