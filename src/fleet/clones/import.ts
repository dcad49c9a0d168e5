import { resolve } from "node:path";
import type { ForgeKind } from "../../hosts/host.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { openForgeHost } from "../publish/host-sink.ts";
import { accessOf, type Environment } from "../publish/sinks.ts";
import { type Address, parseAddress } from "./address.ts";
import { findClones } from "./clones.ts";

/** One address as a person gives it: a clone URL, or a folder in whatever spelling. */
export function parseGiven(text: string): Outcome<Address> {
  const isFolder = !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^[^/]+@?[^/]*:[^/]/.test(text);
  return parseAddress(isFolder ? resolve(text) : text);
}

/** A list of clone URLs, one a line; what stands behind a # is for people. */
export function parseList(text: string): Outcome<Address[]> {
  const addresses: Address[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const given = line.replace(/(^|\s)#.*$/, "").trim();
    if (given === "") continue;
    const address = parseGiven(given);
    if (!address.ok) {
      const what = address.refusal.code === "malformed" ? address.refusal.what : address.refusal.code;
      return refuse({ code: "malformed", what: `line ${i + 1}: ${what}` });
    }
    addresses.push(address.value);
  }
  return accept(addresses);
}

/** Clones on this machine whose folders fit a pattern. */
export async function gatherClones(pattern: string): Promise<Outcome<Address[]>> {
  const addresses: Address[] = [];
  for (const folder of await findClones(pattern)) {
    const address = parseAddress(folder);
    if (address.ok) addresses.push(address.value);
  }
  return addresses.length > 0
    ? accept(addresses)
    : refuse({ code: "malformed", what: `no folder that fits ${pattern} holds a repository` });
}

/** What a provider lists for an organisation: `github:ORG` or `gitlab:GROUP`. Archived repositories and forks are left out. */
export async function gatherListed(
  kind: ForgeKind,
  owner: string,
  environment: Environment,
  most: number,
): Promise<Outcome<Address[]>> {
  const access = accessOf(kind, `${kind}.com`, environment);
  if (!access)
    return refuse({ code: "unavailable", detail: `there is no token for ${kind} in the environment` });
  const host = openForgeHost(kind, access);
  if (!host.ok) return host;
  const listed = await host.value.repositories(owner, { most });
  if (!listed.ok) return listed;
  const addresses: Address[] = [];
  for (const { cloneUrl, isArchived, isFork } of listed.value) {
    if (isArchived || isFork) continue;
    const address = parseAddress(cloneUrl);
    if (!address.ok) return address;
    addresses.push(address.value);
  }
  return accept(addresses);
}
