import { maskNotebook } from "../../syntax/formats/notebook/notebook.ts";
import { formatAt } from "../../syntax/formats/registry.ts";
import type { DocumentText } from "../change/change.ts";

/** A page as its rules read it: of a notebook only its cells. */
export function toDocument(path: string, text: string, has: (path: string) => boolean): DocumentText {
  const document =
    formatAt(path).name === "notebook" ? { path, text: maskNotebook(text), whole: text } : { path, text };
  return isWrittenFromTemplate(path, has) ? { ...document, isWritten: true } : document;
}

const TEMPLATES = [
  "njk",
  "tmpl",
  "gotmpl",
  "tpl",
  "j2",
  "jinja",
  "jinja2",
  "erb",
  "hbs",
  "mustache",
  "ejs",
  "in",
];

/** Whether a program writes the page: its template lies beside it, `README.md.gotmpl` or `coverage.njk` beside `coverage.md`. */
function isWrittenFromTemplate(path: string, has: (path: string) => boolean): boolean {
  const bare = path.replace(/\.[^/.]+$/, "");
  return TEMPLATES.some((ending) => has(`${path}.${ending}`) || has(`${bare}.${ending}`));
}
