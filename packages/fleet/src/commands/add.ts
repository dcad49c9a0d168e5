import {
  type Call,
  decline,
  exit,
  type HostKind,
  isHostKind,
  numberOf,
  ownerForms,
  readInput,
  readKnownHosts,
  optionText as textOf,
  usageError,
} from "suture/service";
import type { Outcome } from "suture/text";
import { type Address, localHost } from "../clones/address.ts";
import {
  importClones,
  importFromHost,
  parseGiven,
  parseList,
  parseOwner,
  refuseMissing,
} from "../clones/import.ts";
import { HostCredentials } from "../publish/credentials.ts";
import { addRepositories, countRepositories } from "../store/repositories.ts";
import { fleetMessages } from "../wording/messages.ts";
import { withFleet } from "./with-fleet.ts";

/** `fleet add URL|DIR…` */
export async function add(call: Call): Promise<number> {
  if (call.operands.length === 0) return usageError(call.terminal, "usage: suture fleet add URL|DIR…");
  const addresses: Address[] = [];
  for (const given of call.operands) {
    const address = parseGiven(given);
    if (!address.ok) return decline(call.terminal, "fleet", address.refusal);
    const missing = await refuseMissing(address.value, given);
    if (missing) return decline(call.terminal, "fleet", missing);
    addresses.push(address.value);
  }
  return addAll(call, addresses);
}

/** `fleet import FILE|GLOB|HOST:OWNER` */
export async function importRepositories(call: Call): Promise<number> {
  const [from, ...rest] = call.operands;
  if (from === undefined || rest.length > 0)
    return usageError(
      call.terminal,
      `usage: suture fleet import ${["FILE", "GLOB", ...ownerForms].join("|")}`,
    );
  if (isOwnerForm(from) && !isKnownOwner(from))
    return usageError(
      call.terminal,
      `usage: suture fleet import ${ownerForms.join("|")}`,
      "A list of addresses is a file, and a pattern with * names folders.",
    );
  const found = await findAddresses(call, from);
  return found.ok ? addAll(call, found.value) : decline(call.terminal, "fleet", found.refusal);
}

/** `KIND:OWNER`. A file of such a name is given as `./NAME`. */
function isOwnerForm(from: string): boolean {
  return /^[a-z]+:[^/\\]*$/.test(from);
}

function isKnownOwner(from: string): boolean {
  return isHostKind(from.slice(0, from.indexOf(":"))) && !from.endsWith(":");
}

async function findAddresses({ options }: Call, from: string): Promise<Outcome<Address[]>> {
  const [, kind = "", owner = ""] = /^([a-z]+):(.+)$/.exec(from) ?? [];
  if (isHostKind(kind)) return importOwner({ kind, owner }, numberOf(options, "most") ?? 10_000);
  if (/[*?[{]/.test(from)) return importClones(from);
  const text = await readInput(from);
  return text.ok ? parseList(text.value) : text;
}

async function importOwner(
  { kind, owner }: { readonly kind: HostKind; readonly owner: string },
  most: number,
): Promise<Outcome<Address[]>> {
  const known = readKnownHosts(process.env);
  if (!known.ok) return known;
  const credentials = new HostCredentials(known.value);
  return importFromHost(parseOwner(kind, owner, credentials), { credentials, most });
}

function addAll(call: Call, addresses: readonly Address[]): Promise<number> {
  return withFleet(call, async (fleet) => {
    const { terminal, options } = call;
    const unique = [...new Map(addresses.map((address) => [address.url, address])).values()];
    const before = await countRepositories(fleet.query);
    const added = await addRepositories(fleet.query, unique, { sink: textOf(options, "sink") ?? null });
    const fresh = (await countRepositories(fleet.query)) - before;
    const isAdded = new Set(added.map(({ url }) => url));
    const taken = unique.filter(({ host, url }) => host === localHost && !isAdded.has(url));
    if (terminal.json)
      terminal.printJson({ success: taken.length === 0, repositories: added, added: fresh, taken });
    else terminal.print(fleetMessages.added(fresh, added.length - fresh));
    for (const address of taken) terminal.remark(fleetMessages.nameTaken(address));
    return taken.length === 0 ? exit.done : exit.refused;
  });
}
