import type { Address } from "../../../fleet/clones/address.ts";
import {
  importClones,
  importFromHost,
  parseGiven,
  parseList,
  parseOwner,
} from "../../../fleet/clones/import.ts";
import { addRepositories, countRepositories } from "../../../fleet/store/repositories.ts";
import { readKnownHosts } from "../../../hosts/access.ts";
import { HostCredentials } from "../../../hosts/credentials.ts";
import { type HostKind, isHostKind, ownerForms } from "../../../hosts/registry.ts";
import type { Outcome } from "../../../text/model/outcome.ts";
import { fleetMessages } from "../../../wording/fleet.ts";
import { type Call, exit, numberOf, textOf } from "../../command.ts";
import { readInput } from "../../terminal/input.ts";
import { usageError } from "../../usage-error.ts";
import { decline } from "../../with-project.ts";
import { withFleet } from "./with-fleet.ts";

/** `fleet add URL|DIR…` */
export async function add(call: Call): Promise<number> {
  if (call.operands.length === 0) return usageError(call.terminal, "usage: suture fleet add URL|DIR…");
  const addresses: Address[] = [];
  for (const given of call.operands) {
    const address = parseGiven(given);
    if (!address.ok) return decline(call.terminal, "fleet", address.refusal);
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
  const found = await findAddresses(call, from);
  return found.ok ? addAll(call, found.value) : decline(call.terminal, "fleet", found.refusal);
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
    if (terminal.json) terminal.printJson({ success: true, repositories: added, added: fresh });
    else terminal.print(fleetMessages.added(fresh, added.length - fresh));
    return exit.done;
  });
}
