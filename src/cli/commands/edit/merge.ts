import type { MergeConflict } from "../../../text/merge/merge.ts";
import { decode, type Encoding, encode } from "../../../text/model/encoding.ts";
import { lineNumber } from "../../../text/model/lines.ts";
import { accept, type Outcome, refuse } from "../../../text/model/outcome.ts";
import { type Call, type Command, exit, isSet, numberOf, textOf } from "../../command.ts";
import { readBytes } from "../../terminal/input.ts";
import { writeOutput } from "../../terminal/output.ts";
import { cloneBarriers, explainUsageError, usageError } from "../../usage-error.ts";

export const command: Command = {
  name: "merge",
  group: "edit",
  summary: "merge two versions of a file, by its syntax where lines conflict; also as git's merge driver",
  usage: ["BASE OURS THEIRS [PATH]", "--install", "--uninstall"],
  operands: [0, 4],
  options: [
    { name: "print", short: "p", text: "print the result instead of writing it to OURS" },
    { name: "marker-size", value: "N", integer: true, text: "how many characters a conflict marker has (7)" },
    {
      name: "install",
      text: "make git use it in this clone, for every file that its grammars know or lines can merge",
    },
    { name: "uninstall", text: "make git merge by itself again" },
  ],
  examples: [
    ["let git call it in this clone", "suture merge --install"],
    ["merge three files and look at the result", "suture merge base.ts ours.ts theirs.ts --print"],
    ["as data, for a program", "suture merge base.ts ours.ts theirs.ts --json"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { operands, options, terminal } = call;
  if (isSet(options, "install") || isSet(options, "uninstall")) return setUp(call);
  const [baseFile, oursFile, theirsFile, path = oursFile] = operands;
  if (baseFile === undefined || oursFile === undefined || theirsFile === undefined || path === undefined)
    return usageError(
      terminal,
      "merge needs three files: BASE OURS THEIRS",
      "`suture help merge` has examples.",
    );
  const read = readVersions([baseFile, oursFile, theirsFile]);
  if (!read.ok) return explainUsageError(terminal, read.refusal);
  const [base, ours, theirs] = read.value.texts;
  const { mergeFile } = await import("../../../syntax/merge/merge-file.ts");
  const { text, conflicts } = await mergeFile(
    path,
    { base: base!, ours: ours!, theirs: theirs! },
    { ours: "ours", base: "base", theirs: "theirs", size: numberOf(options, "marker-size") ?? 7 },
  );
  if (terminal.json) terminal.printJson(reportOf(path, text, { base: base!, conflicts }));
  else {
    const bytes = encode(text, read.value.encoding);
    const written = bytes.ok && !isSet(options, "print") ? writeOutput(oursFile, bytes.value) : bytes;
    if (!written.ok)
      return (await import("../../with-project.ts")).decline(terminal, "merge", written.refusal);
    if (isSet(options, "print") && bytes.ok) terminal.printExactly(bytes.value);
    for (const { base: lines } of conflicts)
      terminal.remark(`suture: conflict in ${path} at line ${lineNumber(base!, lines.start)} of the base`);
  }
  return conflicts.length === 0 ? exit.done : exit.refused;
}

type Versions = { readonly texts: readonly string[]; readonly encoding: Encoding };

/** Three texts in one encoding. What is not text, or is written in two ways, is left to a person. */
function readVersions(names: readonly string[]): Outcome<Versions> {
  const texts: string[] = [];
  let encoding: Encoding | undefined;
  for (const name of names) {
    const bytes = readBytes(name);
    if (!(bytes instanceof Uint8Array)) return bytes;
    const decoded = decode(bytes);
    if (!decoded.ok) return refuse({ code: "malformed", what: `${name} is not text` });
    texts.push(decoded.value.text);
    if (bytes.length === 0) continue;
    if (encoding !== undefined && encoding !== decoded.value.encoding)
      return refuse({ code: "malformed", what: `${name} has another encoding` });
    encoding = decoded.value.encoding;
  }
  return accept({ texts, encoding: encoding ?? "utf-8" });
}

type Conflicts = { readonly base: string; readonly conflicts: readonly MergeConflict[] };

function reportOf(path: string, text: string, { base, conflicts }: Conflicts) {
  const places = conflicts.map(({ base: region, ours, theirs, merged }) => ({
    line: lineNumber(base, region.start),
    base: base.slice(region.start, region.end),
    ours,
    theirs,
    marked: { startLine: lineNumber(text, merged.start), endLine: lineNumber(text, merged.end - 1) },
  }));
  return { path, merged: conflicts.length === 0, text, conflicts: places };
}

async function setUp({ options, terminal }: Call): Promise<number> {
  const { setMergeDriver } = await import("../../../workspace/git/merge-driver.ts");
  const { callName } = await import("../agent-hooks/call-name.ts");
  const root = textOf(options, "root") ?? ".";
  const isWanted = isSet(options, "install");
  const driver = `${callName({ root, absolute: true })} merge --marker-size %L -- %O %A %B %P`;
  const barrier = await setMergeDriver(root, isWanted ? driver : null);
  if (barrier) return usageError(terminal, ...cloneBarriers[barrier]);
  if (terminal.json) terminal.printJson({ installed: isWanted });
  else
    terminal.print(
      isWanted ? `git merges in this clone with: ${driver}` : "git merges in this clone by itself",
    );
  return exit.done;
}
