import type { Outcome } from "../../text/model/outcome.ts";
import { inSession } from "../commit/session.ts";
import type { OpenRoot } from "../open-root.ts";
import { unlessItFails } from "../reader.ts";
import type { WriterOptions } from "../writer.ts";
import { replaceFile } from "./state.ts";
import { inStatePlace, locateState } from "./state-folders.ts";

export type StateWriter = {
  /** Replaces a file of the state that others keep there, at once: `lineage.json`, `audit/<name>.json`,
   *  `proposals/<name>.json`. */
  writeState(name: string, bytes: Uint8Array): Promise<Outcome<true>>;
};

export function createStateWriter(
  root: OpenRoot,
  { patience = 10_000, durability = "full" }: WriterOptions,
): StateWriter {
  return {
    writeState: (name, bytes) =>
      unlessItFails(async () => {
        const books = await root.makeBooks();
        if (!books.ok) return books;
        const { ground } = books.value;
        const at = locateState(name, ground.state);
        if (!at.ok) return at;
        return inSession(ground, { patience }, async ({ site, balance }) => {
          await inStatePlace(site.files, at.value, { create: true }, (dir) =>
            replaceFile(site.files, dir, at.value.name, bytes, {
              flush: durability === "full" ? "both" : "none",
            }),
          );
          return { value: true as const, balance };
        });
      }),
  };
}
