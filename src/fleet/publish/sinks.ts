import { accessFrom } from "../../hosts/access.ts";
import type { Environment } from "../../hosts/host.ts";
import { type HostKind, hostKindOf, hostKinds, hosts, isHostKind } from "../../hosts/registry.ts";
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

export function openSinks(patches: () => Promise<string>, environment: Environment): Sinks {
  const opened = new Map<string, Promise<Outcome<Sink>>>();
  const open = async (name: string, host: string): Promise<Outcome<Sink>> =>
    isHostKind(name) ? openHostNamed(name, host, environment) : accept(openDirectorySink(await patches()));
  return ({ host, sink }) => {
    const name = sink ?? hostKindOf(host) ?? "directory";
    const key = `${name} ${host}`;
    const known = opened.get(key) ?? open(name, host);
    opened.set(key, known);
    return known;
  };
}

function openHostNamed(kind: HostKind, host: string, environment: Environment): Outcome<Sink> {
  const access = accessFrom(environment, kind, instanceOf(host));
  if (access === null)
    return refuse({
      code: "unavailable",
      detail: `there is no token for ${host}: set ${hosts[kind].variables.tokens[0]}`,
    });
  const opened = openHostFor(kind, access);
  return opened.ok ? accept(openHostSink(opened.value)) : opened;
}

/** The header that authenticates git's fetches from a host. */
export function credentialsFrom(environment: Environment): (host: string) => string | null {
  return (host) => {
    const kind = hostKindOf(host);
    const access = kind && accessFrom(environment, kind, instanceOf(host));
    if (!access) return null;
    const credentials = `${hosts[kind].gitUser}:${access.token}`;
    return `Authorization: Basic ${Buffer.from(credentials).toString("base64")}`;
  };
}

/** A clone on this machine that is configured with a host's sink belongs to the public instance. */
function instanceOf(host: string): string | null {
  return host === localHost ? null : host;
}
