import type { AnyKind } from "./claim.ts";
import { comment } from "./comment/comment.ts";
import { copy } from "./copy/copy.ts";
import { exists } from "./exists/exists.ts";
import { form } from "./form/form.ts";
import { link } from "./link/link.ts";
import { list } from "./list/list.ts";
import { sample } from "./sample/sample.ts";
import { signature } from "./signature/signature.ts";
import { status } from "./status/status.ts";
import { text } from "./text/text.ts";
import { value } from "./value/value.ts";
import { version } from "./version/version.ts";

/** Every kind of claim, in the order they are asked. Names, the configuration and the documentation derive from this list. */
export const kinds = register(
  form,
  copy,
  link,
  status,
  text,
  value,
  version,
  exists,
  list,
  comment,
  sample,
  signature,
);

export type ClaimKind = (typeof kinds)[number]["name"];

/** The kinds without the types of their claims, which only they themselves need. */
function register<const Name extends string>(...all: readonly AnyKind<Name>[]): readonly AnyKind<Name>[] {
  return all;
}
