import { deliver } from "../../ci/deliver.ts";
import type { Forge, ForgeHost, ForgeKind, HostOptions } from "../../hosts/host.ts";
import { openForge } from "../../hosts/open-host.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { HostBusy, type Publishing, type Sink } from "./sink.ts";

/** Short breaks are taken here; for longer ones the job goes back to the queue and the host is left alone by all. */
const longestWait = 2000;

export type ForgeAccess = {
  readonly token: string;
  readonly baseUrl?: string | undefined;
  readonly timeout?: number;
};

/** A code host as the fleet asks it: nobody waits in line for a host that is out of breath. */
export function openForgeHost(kind: ForgeKind, { token, baseUrl, timeout }: ForgeAccess): Outcome<ForgeHost> {
  const options: HostOptions = {
    token,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(timeout === undefined ? {} : { timeout }),
    patience: Number.MAX_SAFE_INTEGER,
    sleep: async (milliseconds) => {
      if (milliseconds > longestWait) throw new HostBusy(milliseconds);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    },
  };
  return openForge(kind, options);
}

/** One change request per repository that is kept up to date; on other people's requests, suggestions and one comment. */
export function openForgeSink(host: ForgeHost): Sink {
  return {
    kindFor: (request) => (request === undefined ? "request" : "suggestions"),
    publish: (what) => {
      const { organisation, name } = what.repository;
      const forge = host.at(`${organisation}/${name}`);
      return what.request === undefined ? keepOne(forge, what) : suggest(forge, what, what.request);
    },
  };
}

async function keepOne(
  forge: Forge,
  { repository, commit, report, mended }: Publishing,
): Promise<Outcome<{ url: string }>> {
  const branch = repository.branch === null ? await mainBranch(forge) : accept(repository.branch);
  if (!branch.ok) return branch;
  const occasion = { branch: branch.value, head: commit, request: null };
  const kept = await deliver(forge, "pull-request", occasion, report, mended);
  return kept.ok ? accept({ url: kept.value.requestUrl ?? "" }) : kept;
}

async function mainBranch(forge: Forge): Promise<Outcome<string>> {
  const about = await forge.about();
  return about.ok ? accept(about.value.defaultBranch) : about;
}

async function suggest(
  forge: Forge,
  { report, mended, commit }: Publishing,
  number: number,
): Promise<Outcome<{ url: string }>> {
  const request = await forge.request(number);
  if (!request.ok) return request;
  const { head, base, state, url } = request.value;
  if (state !== "open" || head.commit !== commit)
    return refuse({
      code: "stale",
      expected: commit,
      actual: head.commit,
      detail: "the request has moved on",
    });
  const occasion = {
    head: commit,
    branch: head.branch,
    request: { number, base: base.branch, isOwnBranch: head.repository === forge.repository },
  };
  const delivered = await deliver(forge, "suggest", occasion, report, mended);
  return delivered.ok ? accept({ url: delivered.value.comment?.url ?? url }) : delivered;
}
