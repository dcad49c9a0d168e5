import { matcher } from "../../text/match/glob.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { consentWords } from "./guarded-names.ts";
import type { PathPolicy } from "./paths.ts";

/**
 * Consent that a host gives beforehand: words for kinds of files, `all` for every kind but secrets, and globs for
 * paths, with commas between.
 */
export function parseConsent(list: string): Outcome<NonNullable<PathPolicy["consent"]>> {
  const parts = list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const isGlob = (part: string): boolean => /[*./]/.test(part);
  const unknown = parts.find((part) => part !== "all" && !Object.hasOwn(consentWords, part) && !isGlob(part));
  if (unknown !== undefined || parts.length === 0) {
    const words = Object.keys(consentWords).join(", ");
    return refuse({
      code: "malformed",
      what: `--consent does not know ${JSON.stringify(unknown ?? list)}`,
      hint: `It takes ${words}, all, or globs, with commas between.`,
    });
  }
  const concerns = new Set(parts.flatMap((part) => consentWords[part] ?? []));
  const globs = parts.filter(isGlob).map(matcher);
  const isAll = parts.includes("all");
  return accept(
    (path, concern) =>
      concerns.has(concern) || (isAll && concern !== "secrets") || globs.some((matches) => matches(path)),
  );
}
