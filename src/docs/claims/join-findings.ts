import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { claimWords } from "../../wording/claims.ts";
import { readFindings } from "../fix/read-findings.ts";
import type { Project } from "../project.ts";
import type { JoinedFinding } from "./report.ts";

/** The findings of another program by page, from SARIF or the JSON of `suture check`. */
export async function joinFindings(
  { reader, docs }: Project,
  text: string,
): Promise<Outcome<ReadonlyMap<string, readonly JoinedFinding[]>>> {
  const pages = docs?.reader ?? reader;
  if (pages === null) return refuse({ code: "unavailable", detail: claimWords.noWorkTree });
  const read = await readFindings(pages, text);
  if (!read.ok) return read;
  return accept(Map.groupBy(read.value.findings, ({ path }) => path));
}
