import type { Outcome } from "../../text/model/outcome.ts";
import { inSession } from "../commit/session.ts";
import type { OpenRoot } from "../open-root.ts";
import { refuseIoErrors } from "../reader.ts";
import type { OpenOptions } from "../writer.ts";
import { replaceFile } from "./state.ts";
import { inStatePlace, locateState } from "./state-folders.ts";

export type StateWriter = {
  /** Atomically replaces a file that `docs` or `agents` keeps in the state. */
  writeState(name: string, bytes: Uint8Array): Promise<Outcome<true>>;
};

export function createStateWriter(
  root: OpenRoot,
  { patience = 10_000, durability = "full" }: OpenOptions,
): StateWriter {
  return {
    writeState: (name, bytes) =>
      refuseIoErrors(async () => {
        const stores = await root.createStores();
        if (!stores.ok) return stores;
        const { openState } = stores.value;
        const at = locateState(name, openState.state);
        if (!at.ok) return at;
        return inSession(openState, { patience }, async ({ context, checkpoint }) => {
          await inStatePlace(context.files, at.value, { create: true }, (dir) =>
            replaceFile(context.files, {
              dir,
              name: at.value.name,
              bytes,
              flush: durability === "full" ? "both" : "none",
            }),
          );
          return { value: true as const, checkpoint };
        });
      }),
  };
}
