import type { Address } from "../../fleet/clones/address.ts";
import { gatherClones, gatherListed, parseGiven, parseList } from "../../fleet/clones/import.ts";
import { addRepositories } from "../../fleet/store/repositories.ts";
import type { ForgeKind } from "../../hosts/host.ts";
import type { Outcome } from "../../text/model/outcome.ts";
import { type Call, exit, numberOf, textOf } from "../command.ts";
import { readInput } from "../input.ts";
import { misuse } from "../usage-error.ts";
import { decline } from "../with-project.ts";
import { withFleet } from "./with-fleet.ts";

/** `fleet add URL|DIR…` */
export async function add(call: Call): Promise<number> {
  if (call.operands.length === 0) return misuse(call.terminal, "usage: suture fleet add URL|DIR…");
  const addresses: Address[] = [];
  for (const given of call.operands) {
    const address = parseGiven(given);
    if (!address.ok) return decline(call.terminal, "fleet", address.refusal);
    addresses.push(address.value);
  }
  return enlist(call, addresses);
}

/** `fleet import FILE|GLOB|github:ORG|gitlab:GROUP` */
export async function gather(call: Call): Promise<number> {
  const [from, ...rest] = call.operands;
  if (from === undefined || rest.length > 0)
    return misuse(call.terminal, "usage: suture fleet import FILE|GLOB|github:ORG|gitlab:GROUP");
  const found = await gatherFrom(call, from);
  return found.ok ? enlist(call, found.value) : decline(call.terminal, "fleet", found.refusal);
}

async function gatherFrom({ options }: Call, from: string): Promise<Outcome<Address[]>> {
  const listed = /^(github|gitlab):(.+)$/.exec(from);
  if (listed)
    return gatherListed(listed[1] as ForgeKind, listed[2]!, process.env, numberOf(options, "most") ?? 10_000);
  if (/[*?[{]/.test(from)) return gatherClones(from);
  const text = await readInput(from);
  return text.ok ? parseList(text.value) : text;
}

function enlist(call: Call, addresses: readonly Address[]): Promise<number> {
  return withFleet(call, async (fleet) => {
    const { terminal, options } = call;
    const unique = [...new Map(addresses.map((address) => [address.url, address])).values()];
    const added = await addRepositories(fleet.ask, unique, { sink: textOf(options, "sink") ?? null });
    if (terminal.json) terminal.printJson({ success: true, repositories: added });
    else
      terminal.print(
        added.length === 1 ? "1 repository in the fleet." : `${added.length} repositories in the fleet.`,
      );
    return exit.done;
  });
}
