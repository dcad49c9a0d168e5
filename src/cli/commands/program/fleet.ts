import { fleetSource } from "../../../hosts/package-source.ts";
import { fleetText } from "../../../wording/fleet.ts";
import type { Command } from "../../command.ts";
import { describeAll } from "../../help.ts";
import { decline } from "../../with-project.ts";

/** A package of its own: its database and its queue are large, and few people need them. */
const fleetPackage: string = "suture-fleet";

/** The command of the package, or one that says how to install the package. */
export async function loadFleet(): Promise<{ readonly command: Command }> {
  try {
    return await import(fleetPackage);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const description = (await describeAll()).find(({ name }) => name === "fleet")!;
    const run: Command["run"] = async ({ terminal }) =>
      decline(terminal, "fleet", { code: "unavailable", detail: fleetText.needsPackage(fleetSource) });
    return { command: { ...description, run } };
  }
}
