import type { Fleet } from "../fleet.ts";
import { recordAction } from "../people/actions.ts";
import { mayOperate, type Viewer } from "../people/viewer.ts";
import { approveRollout, stopRollout } from "../rollout/rollout.ts";
import type { SettingsScope } from "../settings/stored-settings.ts";
import { readRepository } from "../store/repositories.ts";

/** What an action on waiting edits concerns: the whole fleet, an organisation, or one repository. */
type ChosenRequest = {
  readonly scope: SettingsScope;
  readonly organisation: string | null;
  readonly target: string;
};

/**
 * Approves waiting edits, or stops a rollout: `/api/rollout/approve` and `/api/rollout/stop`, with the repository or the
 * organisation, the cause and the number of repositories in the query. Returns the status of the response.
 */
export async function actOnRollout(fleet: Fleet, viewer: Viewer, address: string): Promise<number> {
  const { pathname, searchParams } = new URL(address, "http://fleet");
  const verb = pathname.slice("/api/rollout/".length);
  if (verb !== "approve" && verb !== "stop") return 404;
  const chosen = await choose(fleet, searchParams);
  if (chosen === null) return 404;
  const { scope, organisation } = chosen;
  // Without an organisation the action concerns all of them.
  if (organisation === null ? viewer.operates !== null : !mayOperate(viewer, organisation)) return 403;
  const did =
    verb === "stop" ? await stop(fleet, scope) : await approve(fleet, { viewer, scope, given: searchParams });
  await recordAction(fleet.query, { who: viewer.name, did, organisation, target: chosen.target });
  return 200;
}

async function choose({ query }: Fleet, given: URLSearchParams): Promise<ChosenRequest | null> {
  const id = given.get("repository");
  if (id !== null) {
    const found = /^\d{1,15}$/.test(id) ? await readRepository(query, Number(id)) : null;
    if (found === null) return null;
    const { organisation, name } = found;
    return { scope: { repository: found.id }, organisation, target: `${organisation}/${name}` };
  }
  const organisation = given.get("organisation");
  if (!organisation) return { scope: "fleet", organisation: null, target: "all repositories" };
  return { scope: { organisation }, organisation, target: organisation };
}

async function stop(fleet: Fleet, scope: SettingsScope): Promise<string> {
  const { withdrawn } = await stopRollout(fleet, scope);
  return `stopped the rollout (${withdrawn} approvals withdrawn) of`;
}

type Approval = {
  readonly viewer: Viewer;
  readonly scope: SettingsScope;
  readonly given: URLSearchParams;
};

async function approve(fleet: Fleet, { viewer, scope, given }: Approval): Promise<string> {
  const cause = given.get("cause") || undefined;
  const most = Number(given.get("most")) || undefined;
  const { edits } = await approveRollout(fleet, { scope, cause, most }, viewer.name);
  const which = cause === undefined ? "" : ` of ${cause.slice(0, 200)}`;
  return `approved ${edits === 1 ? "1 edit" : `${edits} edits`}${which} in`;
}
