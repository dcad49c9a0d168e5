import type { AnyKind } from "./claim.ts";
import { comment } from "./comment/comment.ts";
import { sample } from "./sample/sample.ts";
import { signature } from "./signature/signature.ts";
import { value } from "./value/value.ts";

/** Every kind of claim, in the order they are asked. Names, the configuration and the documentation derive from this list. */
const all = [value, comment, sample, signature] as const;

export type ClaimKind = (typeof all)[number]["name"];

export const kinds: readonly AnyKind<ClaimKind>[] = all;
