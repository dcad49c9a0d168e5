import type { AnyKind } from "./claim.ts";
import { status } from "./status/status.ts";
import { text } from "./text/text.ts";
import { value } from "./value/value.ts";
import { version } from "./version/version.ts";

/** Every kind of claim, in the order they are asked. Names, the configuration and the documentation derive from this list. */
const all = [status, text, value, version] as const;

export type ClaimKind = (typeof all)[number]["name"];

export const kinds: readonly AnyKind<ClaimKind>[] = all;
