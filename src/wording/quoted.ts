import { codeName, controls, hidden } from "../text/match/invisible-characters.ts";

/**
 * Text of a repository inside the Markdown of a code host. It can mention nobody, refer to nothing, link nowhere and
 * close no block: it is shown, and that is all.
 */

/** One line, as code. Every character that could mean something is written as a number. */
export function code(text: string): string {
  return `<code>${numbered(visible(text).replace(/\s+/g, " ").trim())}</code>`;
}

/** A sentence of ours with names from the repository in backticks. What looks like a reference is shown as code. */
export function prose(text: string): string {
  return visible(text)
    .replace(/\s+/g, " ")
    .split(/(`[^`]*`)/)
    .map((part) => (/^`.*`$/.test(part) ? code(part.slice(1, -1)) : plain(part)))
    .join("");
}

function plain(text: string): string {
  return text
    .split(/( )/)
    .map((word) => (isReference(word) ? code(word) : numbered(word)))
    .join("");
}

/** What hosts turn into links and messages by themselves. */
function isReference(word: string): boolean {
  return /[@#!$%&~]|:\/\/|www\.|^gh-\d|[0-9a-f]{7}|\.(com|org|net|io|dev)\b/i.test(word);
}

const ordinary = /[A-Za-z0-9 ,.;:'()/\u0080-\u{10ffff}…-]/u;

function numbered(text: string): string {
  return Array.from(text, (character) =>
    ordinary.test(character) ? character : `&#${character.codePointAt(0)};`,
  ).join("");
}

/** A block of code, whatever it holds: its fence is longer than any inside it. */
export function block(text: string, language = ""): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** Text in which nothing is hidden or reordered. */
export function visible(text: string): string {
  const name = (one: string): string => `<${codeName(one.codePointAt(0)!)}>`;
  return text.replace(/\r\n/g, "\n").toWellFormed().replace(controls, name).replace(hidden, name);
}

/** A line of a log that the runner cannot take for a command, in its new form or its old one. */
export function logged(text: string): string {
  return visible(text)
    .split("\n")
    .map((line) => line.replace(/^\s*::/, "\\$&").replaceAll("##[", "##\\["))
    .join("\n");
}
