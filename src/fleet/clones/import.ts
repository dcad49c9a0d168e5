import { resolve } from "node:path";
import type { KnownHosts } from "../../hosts/access.ts";
import type { HostKind } from "../../hosts/registry.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { openHostFor } from "../publish/host-sink.ts";
import { type Address, parseAddress } from "./address.ts";
import { findClones } from "./clones.ts";

/** Parses a clone URL, or a folder that may be relative. */
export function parseGiven(text: string): Outcome<Address> {
  const isFolder = !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^[^/]+@?[^/]*:[^/]/.test(text);
  return parseAddress(isFolder ? resolve(text) : text);
}

/** Parses a list of clone URLs, one on each line. `#` starts a comment. */
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

/** The clones on this machine whose folders match a pattern. */
export async function importClones(pattern: string): Promise<Outcome<Address[]>> {
  const addresses: Address[] = [];
  for (const folder of await findClones(pattern)) {
    const address = parseAddress(folder);
    if (address.ok) addresses.push(address.value);
  }
  return addresses.length > 0
    ? accept(addresses)
    : refuse({ code: "malformed", what: `no folder that matches ${pattern} holds a repository` });
}

/** The repositories that a host lists for an organisation or a group, without archived ones and forks. */
export async function importFromHost(
  { kind, owner }: { readonly kind: HostKind; readonly owner: string },
  { known, most }: { readonly known: KnownHosts; readonly most: number },
): Promise<Outcome<Address[]>> {
  const access = known.accessTo(known.publicOne(kind));
  if (!access)
    return refuse({ code: "unavailable", detail: `there is no token for ${kind} in the environment` });
  const host = openHostFor(kind, access);
  if (!host.ok) return host;
  const listed = await host.value.repositories(owner, { most });
  if (!listed.ok) return listed;
  const addresses: Address[] = [];
  for (const { id, cloneUrl, isArchived, isFork } of listed.value) {
    if (isArchived || isFork) continue;
    const address = parseAddress(cloneUrl);
    if (!address.ok) return address;
    addresses.push({ ...address.value, hostId: id });
  }
  return accept(addresses);
}
