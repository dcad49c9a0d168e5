import { resolve } from "node:path";
import { type HostKind, hosts } from "suture/service";
import { accept, type Outcome, type Refusal, refuse } from "suture/text";
import type { HostCredentials } from "../publish/credentials.ts";
import { type Address, localHost, parseAddress, toFolder } from "./address.ts";
import { findClones, isClone } from "./clones.ts";

/** Parses a clone URL, or a folder that may be relative. */
export function parseGiven(text: string): Outcome<Address> {
  const isFolder = !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^[^/]+@?[^/]*:[^/]/.test(text);
  return parseAddress(isFolder ? resolve(text) : text);
}

/** The refusal of a folder of this machine that holds no repository. */
export async function refuseMissing(address: Address, given: string): Promise<Refusal | null> {
  if (address.host !== localHost || (await isClone(toFolder(address)))) return null;
  return { code: "malformed", what: `the folder ${given} holds no repository` };
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

/** A list of repositories: the kind of a host, the host if it is not the public one, and the owner. */
export type ListedOwner = { readonly kind: HostKind; readonly host: string; readonly owner: string };

/** Parses the owner after the kind, as in `github:ORG` or `github:git.example.org/ORG`. */
export function parseOwner(kind: HostKind, given: string, credentials: HostCredentials): ListedOwner {
  const cut = given.indexOf("/");
  const first = cut < 0 ? "" : given.slice(0, cut).toLowerCase();
  return credentials.kindOf(first) === kind
    ? { kind, host: first, owner: given.slice(cut + 1) }
    : { kind, host: hosts[kind].publicHost, owner: given };
}

/**
 * The repositories that a host lists for an organisation or a group, without archived ones and forks. A folder of this
 * machine is refused: a host may not make us read it.
 */
export async function importFromHost(
  { kind, host: hostName, owner }: ListedOwner,
  { credentials, most }: { readonly credentials: HostCredentials; readonly most: number },
): Promise<Outcome<Address[]>> {
  const host = credentials.open(kind, { host: hostName, organisation: owner });
  if (!host.ok) return host;
  const listed = await host.value.repositories(owner, { most });
  if (!listed.ok) return listed.refusal.code === "not-found" ? noOwner(hostName, owner) : listed;
  const addresses: Address[] = [];
  for (const { id, cloneUrl, isArchived, isFork } of listed.value) {
    if (isArchived || isFork) continue;
    const address = parseAddress(cloneUrl);
    if (!address.ok) return address;
    if (address.value.host === localHost)
      return refuse({
        code: "not-allowed",
        detail: `${hostName} lists a folder of this machine: ${JSON.stringify(cloneUrl)}`,
      });
    // The number of a repository is the host's own. It says nothing about a repository on another host.
    addresses.push({ ...address.value, hostId: address.value.host === hostName.toLowerCase() ? id : null });
  }
  return accept(addresses);
}

function noOwner(hostName: string, owner: string): Outcome<never> {
  return refuse({
    code: "malformed",
    what: `${hostName} has no organisation, group or user ${owner}, or the token may not see it`,
  });
}
