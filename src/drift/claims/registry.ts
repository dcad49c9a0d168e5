import type { AnyKind } from "./claim.ts";
import { link } from "./link/link.ts";
import { value } from "./value/value.ts";

/** Every kind of claim, in the order they are asked. Names, the configuration and the documentation derive from this list. */
const all = [link, value] as const;

export type ClaimKind = (typeof all)[number]["name"];

export const kinds: readonly AnyKind<ClaimKind>[] = all;
