import { partsOf } from "../change/names.ts";
import { flipsMeaning } from "../change/rename-candidates.ts";
import type { Notice } from "../findings.ts";
import { nameOf } from "./notice-name.ts";

/** How the old text and the new one of a notice differ. */
export function replacementFeatures({
  message,
  splice,
}: Pick<Notice, "message" | "splice">): Record<string, number> {
  const features: Record<string, number> = {
    "has edit": splice ? 1 : 0,
    "case only":
      message.new !== undefined && message.old?.toLowerCase() === message.new.toLowerCase() ? 1 : 0,
    "punctuation only": isPunctuationOnly(message.old, message.new) ? 1 : 0,
    "scheme only": isSchemeOnly(message.old, message.new) ? 1 : 0,
    "value is an address": /^https?:\/\//.test(message.old ?? "") ? 1 : 0,
    "value tiny": message.old !== undefined && message.old.replace(/[^\p{L}\p{N}]/gu, "").length < 1 ? 1 : 0,
    "new word is a keyword": message.new !== undefined && KEYWORD.test(message.new) ? 1 : 0,
    "new word is no name": message.new !== undefined && NO_NAME.test(message.new) ? 1 : 0,
    "text resized": isResized(message.old, message.new) ? 1 : 0,
    "value long": Math.min(1, (message.old?.length ?? 0) / 40),
  };
  const [old, fresh] = [nameOf(message.old), nameOf(message.new)];
  if (!old || !fresh) return features;
  const [was, is] = [partsOf(old), partsOf(fresh)];
  const shared = was.filter((part) => is.includes(part)).length;
  features["names alike"] = (2 * shared) / Math.max(1, was.length + is.length);
  features["names unlike"] = shared === 0 ? 1 : 0;
  features["new name is narrower"] = was.length === 1 && is.length > 1 && is.at(-1) === was[0] ? 1 : 0;
  features["style differs"] = styleOf(old) === styleOf(fresh) ? 0 : 1;
  features["meaning flips"] = flipsMeaning(was, is) ? 1 : 0;
  return features;
}

/** A single letter, or a word for nothing, yes or no. */
const NO_NAME = /^(?:[\p{L}_]|undefined|null|nil|none|true|false|void|unit)$/iu;

/** Words with which a language declares, imports and exports. */
const KEYWORD =
  /^(?:export|exports|module|default|import|require|from|const|let|var|function|class|return|async|await|static|self|this|pub|fn|def|func|type|interface|struct)$/;

/** Whether a sentence became twice as long or half as long: the shorter one may stay true. */
function isResized(old = "", fresh = ""): boolean {
  return /\s/.test(old.trim()) && fresh !== "" && Math.abs(Math.log2(fresh.length / old.length)) > 1;
}

/** Whether a sentence only gained or lost quotes or the mark at its end. */
function isPunctuationOnly(old = "", fresh = ""): boolean {
  const bare = (text: string): string =>
    text
      .trim()
      .replace(/["'`]/g, "")
      .replace(/[.!:;,]$/, "")
      .toLowerCase();
  return /^["'`]?\p{L}\S*\s/u.test(old.trim()) && bare(old) === bare(fresh);
}

/** `http://` became `https://`: the old address still works. */
function isSchemeOnly(old = "", fresh = ""): boolean {
  const bare = (address: string): string => address.replace(/^https?:\/\//, "").replace(/\/$/, "");
  return /^http:/.test(old) && /^https:/.test(fresh) && bare(old) === bare(fresh);
}

function styleOf(name: string): string {
  if (name.includes("-")) return "kebab";
  if (name.includes("_")) return /[a-z]/.test(name) ? "snake" : "constant";
  if (/^\p{Lu}/u.test(name)) return "pascal";
  return /\p{Lu}/u.test(name) ? "camel" : "flat";
}
