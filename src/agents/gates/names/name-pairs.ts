import { fold } from "../../../drift/change/names.ts";

/** A member after its owner, or a number after the name that it belongs to. */
const member = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*$/u;
const numbered = /^[\p{L}_$][\p{L}\p{N}_$]* \d[\d.]*$/u;

export function isPair(name: string): boolean {
  return member.test(name) || numbered.test(name);
}

/** One form for all ways to write a pair. The letters of a member count as they stand. */
export function asPair(name: string): string {
  if (member.test(name)) return name.replace(/\.|::|#|->/, ".");
  const [word = "", number = ""] = name.split(" ");
  return `${fold(word)} ${number}`;
}

/** A longer line is data. */
const longestLine = 2000;

const membersShape =
  /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]{0,80})(?:\.|::|#|->)(?=([\p{L}_$][\p{L}\p{N}_$]{0,80}))/gu;
const numbersShape =
  /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]{1,80})[^\p{L}\p{N}_$\n]{1,6}(\d[\d.]{0,20})/gu;

/** All pairs of some texts. */
export function findPairs(texts: readonly string[]): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const text of texts)
    for (const line of text.split("\n")) {
      if (line.length > longestLine) continue;
      for (const [, owner, name] of line.matchAll(membersShape)) pairs.add(`${owner}.${name}`);
      for (const [, word, number] of line.matchAll(numbersShape))
        for (const one of versionsOf(number!)) pairs.add(`${fold(word!)} ${one}`);
    }
  return pairs;
}

/** A number and, for that of a version, the shorter ones that name it too: 1.4.42 is a 1.4 and a 1. */
function versionsOf(number: string): string[] {
  const parts = number.replace(/(?<!\.)\.+$/, "").split(".");
  return parts.length < 3 ? [parts.join(".")] : parts.map((_, at) => parts.slice(0, at + 1).join("."));
}
