import { offer } from "../../src/tools/call.ts";
import { editingTools } from "../../src/tools/catalog.ts";
import { openContext } from "../../src/tools/context.ts";
import { SessionMemory } from "../../src/tools/session-memory.ts";
import type { Result } from "../../src/tools/tool.ts";
import { createMemoryDisk } from "../../src/workspace/files/memory-files.ts";
import {
  type EnvelopeEngine,
  openEnvelopePeer,
  openReferenceServer,
  peerEngines,
  type QuoteEngine,
} from "./engines.ts";
import { type ImperfectCall, imperfectCalls, path } from "./imperfect.ts";
import type { Setting } from "./setting.ts";
import { type Fate, Tally } from "./tally.ts";

type Peers = { readonly quote: QuoteEngine; readonly envelope: EnvelopeEngine | null };

/** Calls with the mistakes that models make, through the tools; the peers that take the format beside them. */
export async function measureImperfect(setting: Setting): Promise<Tally> {
  const tally = new Tally();
  const peers = setting.hasPeers ? await openPeers(setting) : null;
  const unhelped = new Set<string>();
  for (const clone of setting.clones()) {
    let left = setting.cases;
    for (const { before } of clone.patches(commits, 0)) {
      const text = left > 0 ? clone.text(before) : null;
      if (text === null) continue;
      const calls = imperfectCalls(text, Math.floor((text.split("\n").length * (1 + (left % 5))) / 6));
      if (calls.length > 0) left--;
      for (const call of calls)
        await measureOne(call, { tally, peers, unhelped, id: `${clone.name} ${before}` });
    }
  }
  printShares(tally);
  return tally;
}

const commits = 60;

async function openPeers(setting: Setting): Promise<Peers> {
  const envelope = await openEnvelopePeer(setting.peers);
  if (typeof envelope === "string") console.log(envelope);
  return { quote: await openReferenceServer(), envelope: typeof envelope === "string" ? null : envelope };
}

type Measuring = {
  readonly tally: Tally;
  readonly peers: Peers | null;
  readonly unhelped: Set<string>;
  readonly id: string;
};

async function measureOne(call: ImperfectCall, { tally, peers, id }: Measuring): Promise<void> {
  const row = `${call.format}, ${call.kind}${call.isSafe ? "" : " (no safe reading)"}`;
  const { fate, answer } = await tryCall(call);
  const needsLook = fate === "wrong" || fate === "refused" || (fate !== "right" && call.isSafe);
  tally.add(
    row,
    fate,
    needsLook ? () => `${id} line ${call.line} ${answer?.error ?? ""}`.slice(0, 300) : undefined,
  );
  if (!peers) return;
  for (const [name, after] of await askPeers(call, peers))
    tally.add(
      `  peer ${name}: ${call.format}, all kinds`,
      after === null ? "refused" : after === call.wanted ? "right" : "wrong",
    );
}

/** What becomes of a call, and of the corrected call where the refusal carries one. */
async function tryCall(call: ImperfectCall): Promise<{ readonly fate: Fate; readonly answer?: Result }> {
  const disk = createMemoryDisk();
  disk.put(path, call.text);
  const opened = await openContext({
    root: "/",
    files: disk.process(),
    strict: true,
    memory: new SessionMemory(),
    policy: { consent: true },
  });
  if (!opened.ok) throw new Error(opened.refusal.code);
  const { callTool } = offer(editingTools);
  const isWanted = (): boolean => Buffer.from(disk.read(path)!.bytes).toString("utf8") === call.wanted;
  const answer = await callTool(opened.value, call.tool, call.input);
  try {
    if (answer.success) return { fate: isWanted() ? "right" : "wrong" };
    if (!answer.retry) return { fate: names(answer, call.line) ? "refused, helped" : "refused", answer };
    const second = await callTool(opened.value, answer.retry.tool, answer.retry.arguments);
    if (second.success) return { fate: isWanted() ? "refused, then right" : "wrong", answer };
    return { fate: "refused", answer };
  } finally {
    await opened.value.close();
  }
}

/** Whether a refusal points at the lines that the caller means. */
function names(answer: Result, line: number): boolean {
  const { nearest = [], places = [] } = answer as {
    nearest?: readonly { startLine: number; endLine: number }[];
    places?: readonly { line: number }[];
  };
  const isNear = (from: number, to: number): boolean => from - reach <= line && line <= to + reach;
  return (
    nearest.some(({ startLine, endLine }) => isNear(startLine, endLine)) ||
    places.some((place) => isNear(place.line, place.line))
  );
}

const reach = 7;

async function askPeers(call: ImperfectCall, peers: Peers): Promise<[string, string | null][]> {
  if (call.pair) return [["reference MCP server", await peers.quote(call.text, ...call.pair)]];
  if (call.format === "envelope" && peers.envelope) {
    const body = call.patch!.replace(/^(?:```|\*\*\* (?:Begin|End|Update)).*\n?/gm, "");
    return [["@openai/agents-core", peers.envelope(call.text, body)]];
  }
  if (call.format !== "unified") return [];
  const [patch, onto] = [call.patch!, call.text].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return Object.entries(peerEngines).map(([name, engine]) => {
    const after = engine({ patch, onto, base: onto, to: onto });
    return [name, after && Buffer.from(after).toString("utf8")];
  });
}

function printShares(tally: Tally): void {
  const isOwn = (row: string): boolean => !row.startsWith("  peer");
  const isSafe = (row: string): boolean => isOwn(row) && !row.includes("(no safe reading)");
  const sum = (isMeant: (row: string) => boolean, fates: readonly Fate[]): number =>
    fates.reduce((total, fate) => total + tally.count(fate, isMeant), 0);
  const refused: Fate[] = ["refused, then right", "refused, helped", "refused"];
  const all: Fate[] = ["right", ...refused, "wrong"];
  console.log(`Calls: ${sum(isOwn, all)}; wrong: ${sum(isOwn, ["wrong"])}.`);
  console.log(`Refused where a safe reading exists: ${sum(isSafe, refused)} of ${sum(isSafe, all)}.`);
  console.log(
    `Refusals from which the next call is right: ${sum(isOwn, ["refused, then right"])} of ${sum(isOwn, refused)}.`,
  );
  console.log(`Refusals that name neither the place nor the corrected call: ${sum(isOwn, ["refused"])}.`);
}
