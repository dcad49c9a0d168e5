import { npxWords, type PackageSource } from "../../hosts/package-source.ts";
import { type DataNode, dataAt } from "../../syntax/data/data.ts";
import { scanJson } from "../../syntax/data/json.ts";
import type { Edit } from "../../text/model/edit.ts";
import { endingAt } from "../../text/model/lines.ts";
import type { Survey } from "./survey.ts";

type Client = {
  readonly path: string;
  readonly key: "mcpServers" | "servers";
  /** Files that show that this client is used here. */
  readonly sign: RegExp;
};

const clients: readonly Client[] = [
  {
    path: ".mcp.json",
    key: "mcpServers",
    sign: /^(\.mcp\.json|\.claude\/.*|claude(\.local)?\.md|agents\.md)$/i,
  },
  { path: ".cursor/mcp.json", key: "mcpServers", sign: /^(\.cursor\/.*|\.cursorrules)$/ },
  { path: ".gemini/settings.json", key: "mcpServers", sign: /^(\.gemini\/.*|gemini\.md)$/i },
  { path: ".vscode/mcp.json", key: "servers", sign: /^\.vscode\/mcp\.json$/ },
];

export type McpPlan = { readonly edits: readonly Edit[]; readonly notes: readonly string[] };

/** An entry for each client that is used here. The rest of its file stays as it is, byte for byte. */
export async function planMcp(survey: Survey, source: PackageSource): Promise<McpPlan> {
  const entry = { command: "npx", args: [...npxWords(source), "mcp"] };
  const edits: Edit[] = [];
  const notes: string[] = [];
  const all = [...survey.paths];
  for (const { path, key, sign } of clients) {
    if (!all.some((one) => sign.test(one))) continue;
    const shared = { path, reason: "let agents edit through Suture", evidence: [] };
    if (!survey.paths.has(path)) {
      edits.push({
        ...shared,
        target: { file: "create" },
        text: `${JSON.stringify({ [key]: { suture: entry } }, null, 2)}\n`,
      });
      continue;
    }
    const text = await survey.read(path);
    const insertion = text === null ? "unreadable" : findInsertion(text, key, entry);
    if (insertion === "unreadable") notes.push(`${path} cannot be read as plain JSON, so it is left alone.`);
    else if (insertion !== "there")
      edits.push({ ...shared, target: { region: insertion.region }, text: insertion.text });
  }
  return { edits, notes };
}

type ServerEntry = { readonly command: string; readonly args: readonly string[] };

type Insertion = { readonly region: { readonly start: number; readonly end: number }; readonly text: string };

/** Where the entry goes in, after the last one of its map, in the layout of the file. */
function findInsertion(
  text: string,
  key: Client["key"],
  entry: ServerEntry,
): Insertion | "there" | "unreadable" {
  const value = JSON.stringify(entry);
  const { root, trouble } = scanJson(text);
  if (trouble || root?.kind !== "map") return "unreadable";
  const servers = dataAt(root, key);
  const standing = dataAt(servers, "suture");
  // An entry that could start a program of the project gives way to one that cannot.
  if (standing && isOldEntry(text, standing)) return { region: standing.region, text: value };
  if (standing) return "there";
  if (servers && servers.kind !== "map") return "unreadable";
  return servers
    ? insertMember(text, servers, "suture", value)
    : insertMember(text, root, key, `{ "suture": ${value} }`);
}

/** An entry as Suture wrote it before, with nothing of a person's in it. */
function isOldEntry(text: string, { region }: DataNode): boolean {
  return /^\{\s*"command":\s*"npx",\s*"args":\s*\[\s*"-y",\s*"suture",\s*"mcp"\s*\]\s*\}$/.test(
    text.slice(region.start, region.end),
  );
}

function insertMember(text: string, map: DataNode, key: string, value: string): Insertion {
  const member = `${JSON.stringify(key)}: ${value}`;
  const last = map.entries?.at(-1);
  if (!last) {
    const start = map.region.start + 1;
    return { region: { start, end: map.region.end - 1 }, text: ` ${member} ` };
  }
  const line = text.lastIndexOf("\n", last.keyRegion.start) + 1;
  const indent = /^[ \t]*/.exec(text.slice(line))![0];
  const isOwnLine = text.slice(line, last.keyRegion.start - 1).trim() === "" && line > map.region.start;
  const end = endOf(text, last.node);
  const between = isOwnLine ? `,${endingAt(text, line)}${indent}` : ", ";
  return { region: { start: end, end }, text: `${between}${member}` };
}

/** The offset after a value. The region of a string excludes its quotes. */
function endOf(text: string, { kind, region }: DataNode): number {
  return kind === "scalar" && text[region.end] === '"' ? region.end + 1 : region.end;
}
