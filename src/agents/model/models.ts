import type { Redact } from "../../text/match/secrets.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { ModelRole, Settings } from "../run/settings.ts";
import { type Limits, type Model, openModel } from "./model.ts";

/** The models of a run, one for each role. Without a reviewer, drafts go straight to the gates. */
export type Models = {
  readonly planner: Model;
  readonly writer: Model;
  readonly researcher: Model;
  readonly reviewer: Model | null;
};

export async function openModels(
  settings: Settings,
  options: {
    readonly redact: Redact;
    readonly limits?: Partial<Limits> | undefined;
    readonly review?: boolean | undefined;
  },
): Promise<Outcome<Models>> {
  const open = (role: ModelRole) => openModel(role, settings, options);
  const writer = await open("writer");
  if (!writer.ok) return writer;
  const planner = await open("planner");
  if (!planner.ok) return planner;
  const researcher = await open("researcher");
  if (!researcher.ok) return researcher;
  const reviewer = options.review === false ? accept(null) : await open("reviewer");
  if (!reviewer.ok) return reviewer;
  return accept({
    planner: planner.value,
    writer: writer.value,
    researcher: researcher.value,
    reviewer: reviewer.value,
  });
}
