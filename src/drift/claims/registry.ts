import type { AnyKind } from "./claim.ts";
import { comment } from "./comment/comment.ts";
import { exists } from "./exists/exists.ts";
import { sample } from "./sample/sample.ts";
import { signature } from "./signature/signature.ts";
import { status } from "./status/status.ts";
import { text } from "./text/text.ts";
import { value } from "./value/value.ts";
import { version } from "./version/version.ts";

/** Every kind of claim, in the order they are asked. Names, the configuration and the documentation derive from this list. */
const all = [status, text, value, version, exists, comment, sample, signature] as const;

export type ClaimKind = (typeof all)[number]["name"];

export const kinds: readonly AnyKind<ClaimKind>[] = all;
