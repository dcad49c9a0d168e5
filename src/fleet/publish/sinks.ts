import type { KnownHost, KnownHosts } from "../../hosts/access.ts";
import { hostKinds, hosts, isHostKind } from "../../hosts/registry.ts";
import { rememberSuccess } from "../../hosts/remember-success.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { localHost } from "../clones/address.ts";
import type { Repository } from "../store/repositories.ts";
import { openDirectorySink } from "./directory-sink.ts";
import { openHostFor, openHostSink } from "./host-sink.ts";
import type { Sink } from "./sink.ts";

/** The sinks that a repository can be configured with. */
export const sinkNames = ["directory", ...hostKinds] as const;

/** The sink of a repository. Each sink is opened when it is first needed. */
export type Sinks = (repository: Pick<Repository, "host" | "sink">) => Promise<Outcome<Sink>>;

export function openSinks(patches: () => Promise<string>, known: KnownHosts): Sinks {
  const opened = new Map<string, () => Promise<Outcome<Sink>>>();
  return (repository) => {
    const { host, sink } = repository;
    const key = `${sink ?? ""} ${host}`;
    const open = opened.get(key) ?? rememberSuccess(() => openSink(repository, patches, known));
    opened.set(key, open);
    return open();
  };
}

async function openSink(
  { host, sink }: Pick<Repository, "host" | "sink">,
  patches: () => Promise<string>,
  known: KnownHosts,
): Promise<Outcome<Sink>> {
  const name = sink ?? known.find(host)?.kind ?? "directory";
  if (!isHostKind(name)) return accept(openDirectorySink(await patches()));
  // A clone on this machine that is configured with a host's sink belongs to the public instance.
  const found = host === localHost ? known.publicOne(name) : known.find(host);
  if (found?.kind !== name)
    return refuse({
      code: "unavailable",
      detail: `${host} is not a known host of the kind ${name}: add ${host}=${name}:TOKEN_VARIABLE to SUTURE_HOSTS`,
    });
  return openHostSinkFor(found, known);
}

function openHostSinkFor(host: KnownHost, known: KnownHosts): Outcome<Sink> {
  const access = known.accessTo(host);
  if (access === null)
    return refuse({
      code: "unavailable",
      detail: `there is no token for ${host.name}: set ${host.tokenVariables[0]}`,
    });
  const opened = openHostFor(host.kind, access);
  return opened.ok ? accept(openHostSink(opened.value)) : opened;
}

/** The header that authenticates git's fetches from a host. */
export function credentialsFrom(known: KnownHosts): (host: string) => string | null {
  return (name) => {
    const host = known.find(name);
    const access = host?.isTokenForGit ? known.accessTo(host) : null;
    if (!host || !access) return null;
    const credentials = `${hosts[host.kind].gitUser}:${access.token}`;
    return `Authorization: Basic ${Buffer.from(credentials).toString("base64")}`;
  };
}
