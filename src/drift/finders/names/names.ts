import type { ChangeModel } from "../../change/change-model.ts";
import type { Notice } from "../../findings.ts";
import { createPace } from "../../pace.ts";
import { findDroppedModules } from "./dropped-modules.ts";
import { findLostLiterals } from "./lost-literals.ts";
import { findRenames } from "./lost-names.ts";
import { findLostThings } from "./lost-things.ts";
import { findMembers } from "./renamed-members.ts";

const known = new WeakMap<ChangeModel, Promise<readonly Notice[]>>();

/** Passages that name something renamed or removed; worked out once for both rules. */
export function findNames(change: ChangeModel): Promise<readonly Notice[]> {
  const found = known.get(change) ?? collect(change);
  known.set(change, found);
  return found;
}

async function collect(change: ChangeModel): Promise<readonly Notice[]> {
  const notices: Notice[] = [];
  const pace = createPace();
  for (const find of [findRenames, findMembers, findLostThings, findLostLiterals, findDroppedModules]) {
    notices.push(...(await find(change)));
    await pace();
  }
  return notices;
}
