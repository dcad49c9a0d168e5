import { expect, test } from "vitest";
import { accept } from "../../text/model/outcome.ts";
import type { Reader, Workspace } from "../../workspace/workspace.ts";
import type { ReportedFinding } from "../check/report.ts";
import {
  decidedFinding,
  findPending,
  isPending,
  proposalOf,
  readDecisions,
  readProposal,
  writeDecisions,
  writeProposal,
} from "./proposal.ts";

const finding: ReportedFinding = {
  id: "rename-1",
  path: "a.md",
  startLine: 1,
  endLine: 1,
  tier: "certain",
  kind: "rename",
  message: "`a` is now `b`.",
  evidence: [],
  edits: [{ path: "a.md", old_string: "a", new_string: "b", reason: "`a` is now `b`." }],
};
const report = { base: "0", head: "1", findings: [finding, finding], unknown: [] };
const about = (id: string) => ({ id, time: "2026-01-02T03:04:05.000Z", source: "fix" });
const accepted = { verdict: "accepted", time: "", entry: "1" } as const;
const rejected = { verdict: "rejected", time: "" } as const;
const reworded = {
  verdict: "reworded",
  time: "",
  edits: [{ ...finding.edits[0]!, new_string: "c" }],
} as const;

/** A state of nothing but files by name. */
function openState(files: Record<string, string> = {}) {
  const state: Pick<Workspace, "writeState"> & Pick<Reader, "readState" | "listState"> = {
    writeState: async (name, bytes) => {
      files[name] = new TextDecoder().decode(bytes);
      return accept(true);
    },
    readState: async (name) => accept(name in files ? new TextEncoder().encode(files[name]) : null),
    listState: async (folder) =>
      accept(
        Object.keys(files)
          .filter((name) => name.startsWith(`${folder}/`))
          .map((name) => name.slice(folder.length + 1, -".json".length))
          .sort(),
      ),
  };
  return state as unknown as Workspace;
}

test("a proposal and what was decided come back as they were kept", async () => {
  const state = openState();
  const proposal = proposalOf(report, { ...about("run-1"), model: "maker:model" });
  await writeProposal(state, proposal);
  await writeDecisions(state, "run-1", { 0: rejected });
  expect(await readProposal(state, "run-1")).toEqual(accept(proposal));
  expect(await readDecisions(state, "run-1")).toEqual(accept({ 0: rejected }));
  expect(await readProposal(state, "run-2")).toEqual(accept(null));
  expect(await readDecisions(state, "run-2")).toEqual(accept({}));
});

test.each(["", "{", "null", "[]", '{"version":2,"findings":[],"unknown":[]}', '{"version":1}'])(
  "a file that is not a proposal is ignored: %j",
  async (text) => {
    expect(await readProposal(openState({ "proposals/run-1.json": text }), "run-1")).toEqual(accept(null));
  },
);

test.each([
  ["nothing decided", {}, true],
  ["one of two", { 0: accepted }, true],
  ["a wording alone decides nothing", { 0: accepted, 1: reworded }, true],
  ["all", { 0: accepted, 1: rejected }, false],
])("whether a proposal waits: %s", (_, decisions, waits) => {
  expect(isPending(proposalOf(report, about("run-1")), decisions)).toBe(waits);
});

test("the newest undecided proposal is found", async () => {
  const state = openState();
  for (const id of ["run-1", "run-2", "run-3"]) await writeProposal(state, proposalOf(report, about(id)));
  await writeDecisions(state, "run-3", { 0: accepted, 1: rejected });
  await writeDecisions(state, "run-2", { 0: accepted });
  const found = await findPending(state);
  expect(found.ok && found.value?.id).toBe("run-2");
  expect(await findPending(openState())).toEqual(accept(null));
});

test("equal findings are told apart by their place, and a person's wording is theirs", () => {
  const proposal = proposalOf(report, about("run-1"));
  expect(decidedFinding(proposal, { 1: reworded }, 0)).toBe(finding);
  expect(decidedFinding(proposal, { 1: reworded }, 1)).toMatchObject({
    by: "person",
    edits: [{ new_string: "c" }],
  });
});
