import { maskNotebook } from "../../syntax/formats/notebook/notebook.ts";
import { formatAt } from "../../syntax/formats/registry.ts";
import type { DocumentText } from "../change/change.ts";

/** A page as its rules read it: of a notebook only its cells. */
export function toDocument(path: string, text: string): DocumentText {
  return formatAt(path).name === "notebook"
    ? { path, text: maskNotebook(text), whole: text }
    : { path, text };
}
