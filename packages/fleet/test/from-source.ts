import { join } from "node:path";
import { pathToFileURL } from "node:url";

const house = join(import.meta.dirname, "..", "..", "..");

/** The options of Node that run `suture` from the sources, with its fleet. */
export const sutureFromSource: readonly string[] = [
  "--import",
  pathToFileURL(join(house, "test", "suture-from-source.ts")).href,
  join(house, "src", "cli", "main.ts"),
];
