import { hostKinds, isHostKind } from "suture/service";
import { accept, type Outcome } from "suture/text";
import { localHost } from "../clones/address.ts";
import type { Repository } from "../store/repositories.ts";
import type { HostCredentials, HostedOwner } from "./credentials.ts";
import { openDirectorySink } from "./directory-sink.ts";
import { openHostSink } from "./host-sink.ts";
import { errorOf, type Sink } from "./sink.ts";

/** The sinks that a repository can be configured with. */
export const sinkNames = ["directory", ...hostKinds] as const;

/** The sink of a repository. */
export type Sinks = (
  repository: Pick<Repository, "host" | "organisation" | "sink">,
) => Promise<Outcome<Sink>>;

export function openSinks(patches: string, credentials: HostCredentials): Sinks {
  return async ({ host, organisation, sink }) => {
    const name = sink ?? credentials.kindOf(host) ?? "directory";
    if (!isHostKind(name)) return accept(openDirectorySink(patches));
    // A clone on this machine that is configured with a host's sink belongs to the public instance.
    const opened =
      host === localHost
        ? credentials.openPublic(name, organisation)
        : credentials.open(name, { host, organisation });
    return opened.ok ? accept(openHostSink(opened.value)) : opened;
  };
}

/** The header that authenticates git's fetches from the host of a repository, or null. */
export function gitHeaders(credentials: HostCredentials): (owner: HostedOwner) => Promise<string | null> {
  return async (owner) => {
    const header = await credentials.gitHeader(owner);
    if (!header.ok) throw errorOf(header.refusal);
    return header.value;
  };
}
