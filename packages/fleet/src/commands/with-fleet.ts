import { type Call, decline, exit, optionText as textOf } from "suture/service";
import { accept, type Outcome, refuse } from "suture/text";
import type { Fleet, FleetOptions } from "../fleet.ts";
import type { Action } from "../people/actions.ts";
import type { Repository } from "../store/repositories.ts";

/** A call whose success is kept in the record of who did what. */
export type RecordedCall = Call & { readonly record?: Omit<Action, "who"> | undefined };

/** Opens the fleet of the options and the environment, runs the work, records what a person did, and closes it. */
export async function withFleet(
  call: RecordedCall,
  work: (fleet: Fleet) => Promise<number>,
  more: Partial<FleetOptions> = {},
): Promise<number> {
  const { options, terminal } = call;
  const { openHome } = await import("../home.ts");
  const { openFleet } = await import("../fleet.ts");
  const opened = await openFleet({
    home: await openHome(textOf(options, "home")),
    url: process.env.DATABASE_URL,
    progress: (text) => terminal.remark(`… ${text}`),
    ...more,
  });
  if (!opened.ok) return decline(terminal, "fleet", opened.refusal);
  try {
    const code = await work(opened.value);
    if (call.record !== undefined && code === exit.done) await recordCall(opened.value, call.record);
    return code;
  } finally {
    await opened.value.close();
  }
}

async function recordCall({ query }: Fleet, record: Omit<Action, "who">): Promise<void> {
  const { recordAction } = await import("../people/actions.ts");
  const { hostname, userInfo } = await import("node:os");
  await recordAction(query, { who: `${userInfo().username}@${hostname()}`, ...record });
}

/** The one repository a person calls `ORG/REPO`. */
export async function locateRepository(
  fleet: Fleet,
  given: string | undefined,
): Promise<Outcome<Repository>> {
  const { findRepositories } = await import("../store/repositories.ts");
  const cut = (given ?? "").lastIndexOf("/");
  if (given === undefined || cut < 1)
    return refuse({ code: "malformed", what: "name a repository as ORG/REPO" });
  const found = await findRepositories(fleet.query, given.slice(0, cut), given.slice(cut + 1));
  if (found.length === 1) return accept(found[0]!);
  if (found.length === 0)
    return refuse({
      code: "malformed",
      what: `the fleet has no repository ${given}`,
      hint: "`suture fleet add` puts a repository into it.",
    });
  return refuse({
    code: "malformed",
    what: `several hosts have ${given}: ${found.map(({ host }) => host).join(", ")}`,
  });
}
