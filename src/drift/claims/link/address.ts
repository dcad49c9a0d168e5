import { USUAL_EXTENSIONS } from "../../../syntax/formats/registry.ts";
import { lastName } from "../../change/folders.ts";
import { type LinkClaim, WORKFLOWS } from "./read.ts";

/** The new path in the form of the old one; null where that form cannot name it. */
export function addressOf(
  claim: LinkClaim,
  page: string,
  { from, to }: { readonly from: string; readonly to: string },
): string | null {
  const { form, written, hosted } = claim;
  if (hosted?.revision === WORKFLOWS)
    return to.startsWith(`${WORKFLOWS}/`) && !to.slice(WORKFLOWS.length + 1).includes("/")
      ? lastName(to)
      : null;
  if (form === "url") return like(written, to);
  if (form === "site") return siteAddress(written, from, to);
  if (form === "link") return relativeAddress(page, to, written);
  return mentionAddress(written, page, { from, to });
}

function like(written: string, path: string): string {
  return written.endsWith("/") ? `${path}/` : path;
}

/** A path in code keeps its start: the root, the folder of the page, or a folder that the page leaves out. */
function mentionAddress(
  written: string,
  page: string,
  { from, to }: { readonly from: string; readonly to: string },
): string | null {
  const plain = trimmed(written);
  const dots = written.startsWith("./") ? "./" : "";
  if (plain === from) return like(written, `${dots}${to}`);
  if (plain.startsWith("../")) return relativeAddress(page, to, written);
  const left = from.slice(0, from.length - plain.length);
  if (!from.endsWith(`/${plain}`)) return null;
  return to.startsWith(left) ? like(written, `${dots}${to.slice(left.length)}`) : null;
}

function siteAddress(written: string, from: string, to: string): string | null {
  const plain = written.replace(/^\/|\/$|\.html?$/g, "");
  const at = from.indexOf(plain.split("/")[0]!);
  const root = from.slice(0, Math.max(0, at));
  if (!to.startsWith(root)) return null;
  const bare = /\.\w+$/.test(plain)
    ? to.slice(root.length)
    : to
        .slice(root.length)
        .replace(/\.\w+$/, "")
        .replace(/\/(?:index|readme|_index)$/i, "");
  const ending = /\.html?$/.exec(written)?.[0] ?? (written.endsWith("/") ? "/" : "");
  return `/${bare}${ending}`;
}

const PAGE_ENDING = new RegExp(`\\.(?:${USUAL_EXTENSIONS.join("|")})$`);

/** The relative path from one page to another, with or without extension and `./` like the old one. */
function relativeAddress(from: string, to: string, written: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  const up = here.slice(shared).map(() => "..");
  const path = [...up, ...there.slice(shared)].join("/");
  const dotted = written.startsWith("./") && up.length === 0 ? `./${path}` : path;
  if (/\.html?$/i.test(written)) return dotted.replace(/\.\w+$/, /\.\w+$/.exec(written)![0]);
  if (/\.\w+$/.test(written)) return dotted;
  const bare = dotted.replace(/\/(?:index|README|readme|_index)\.\w+$/, "/").replace(PAGE_ENDING, "");
  return like(written, bare.replace(/\/$/, ""));
}

/** The words of a link that repeat its path: the address, the whole path or its last names, for the new path. */
export function labelFor(
  words: string,
  { written, address, from, to }: Record<"written" | "address" | "from" | "to", string>,
): string {
  const dots = /^(?:\.?\/)+/.exec(words)?.[0] ?? "";
  const slash = words.endsWith("/") ? "/" : "";
  const plain = trimmed(words);
  const fresh =
    plain === trimmed(written) ? trimmed(address) : plain === from ? to : shortened(plain, from, to);
  return `${dots}${fresh}${slash}`;
}

/** The new path without the folders that the words leave out, or with as many names as they have. */
function shortened(words: string, from: string, to: string): string {
  const left = from.slice(0, from.length - words.length);
  const isBelow = words.includes("/") && to.startsWith(left);
  return isBelow ? to.slice(left.length) : to.split("/").slice(-words.split("/").length).join("/");
}

function trimmed(path: string): string {
  return path.replace(/^(?:\.?\/)+|\/+$/g, "");
}
