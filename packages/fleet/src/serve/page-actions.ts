import type { Fleet } from "../fleet.ts";
import { recordAction } from "../people/actions.ts";
import { mayOperate, type Viewer } from "../people/viewer.ts";
import { recheckRepository, resumeRepository, retryRepository } from "../queue/by-hand.ts";
import { resumeHost } from "../store/hosts.ts";
import { type Repository, readRepository, setPaused } from "../store/repositories.ts";
import { decodePart } from "./page-api.ts";
import { actOnRollout } from "./rollout-actions.ts";

/** The actions on one repository. Each has a name in the address, and its words in the record. */
const actions: Readonly<
  Record<string, { readonly did: string; act(fleet: Fleet, repository: Repository): Promise<void> }>
> = {
  recheck: { did: "rechecked", act: recheckRepository },
  retry: { did: "retried", act: retryRepository },
  pause: { did: "paused", act: ({ query }, { id }) => setPaused(query, id, true) },
  resume: { did: "resumed", act: resumeRepository },
};

/** Does what a person asks for on the page, and records it. Returns the status of the response. */
export async function act(fleet: Fleet, viewer: Viewer, address: string): Promise<number> {
  if (address.startsWith("/api/rollout/")) return actOnRollout(fleet, viewer, address);
  const [, kind = "", id = "", verb = ""] =
    /^\/api\/(repositories|hosts)\/([^/?]{1,300})\/([a-z]+)$/.exec(address) ?? [];
  if (kind === "hosts" && verb === "resume") return resumeOne(fleet, viewer, decodePart(id));
  const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined;
  if (kind !== "repositories" || action === undefined || !/^\d{1,15}$/.test(id)) return 404;
  const repository = await readRepository(fleet.query, Number(id));
  if (repository === null) return 404;
  if (!mayOperate(viewer, repository.organisation)) return 403;
  await action.act(fleet, repository);
  const { organisation, name } = repository;
  await recordAction(fleet.query, {
    who: viewer.name,
    did: action.did,
    organisation,
    target: `${organisation}/${name}`,
  });
  return 200;
}

/** A host belongs to no organisation, so that only an operator of all of them may resume it. */
async function resumeOne(fleet: Fleet, viewer: Viewer, host: string): Promise<number> {
  if (viewer.operates !== null) return 403;
  if (!(await resumeHost(fleet.query, host))) return 404;
  await fleet.queue.startDeferred(host);
  await recordAction(fleet.query, { who: viewer.name, did: "resumed", organisation: null, target: host });
  return 200;
}
