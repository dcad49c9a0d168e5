import { codeName, controls, replaceHidden } from "../text/characters/invisible-characters.ts";

/**
 * Escapes text of a repository for the Markdown of a code host. It cannot mention users, refer to issues, make links or
 * close a block.
 */

/** One line, as code. Every special character is escaped as a number. */
export function code(text: string): string {
  return `<code>${numbered(visible(text).replace(/\s+/g, " ").trim())}</code>`;
}

/** A sentence of ours with names from the repository in backticks. Words that look like references become code. */
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
    .map((word) => (isReference(word) ? referenceCode(word) : numbered(word)))
    .join("");
}

/** A reference as code, without the brackets and the marks around it. */
function referenceCode(word: string): string {
  const [, before = "", reference = "", after = ""] = /^(\(*)(.*?)([),.;:]*)$/.exec(word) ?? [];
  return `${before}${code(reference)}${after}`;
}

/** Whether hosts turn a word into a link or a mention. */
function isReference(word: string): boolean {
  return /[@#!$%&~]|:\/\/|www\.|^gh-\d|[0-9a-f]{7}|\.(com|org|net|io|dev)\b/i.test(word);
}

const ordinary = /[A-Za-z0-9 ,.;:'()/\u0080-\u{10ffff}…-]/u;

function numbered(text: string): string {
  return Array.from(text, (character) =>
    ordinary.test(character) ? character : `&#${character.codePointAt(0)};`,
  ).join("");
}

/** A block of code. Its fence is longer than any inside it. */
export function block(text: string, language = ""): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** Text with visible names for all hidden and reordering characters. */
export function visible(text: string): string {
  const name = (one: string): string => `<${codeName(one.codePointAt(0)!)}>`;
  const pictured = text.replace(/\r\n/g, "\n").toWellFormed().replace(controls, name);
  return replaceHidden(pictured, name);
}

/** A log line that the runner cannot take for a workflow command, in the new or the old syntax. */
export function logged(text: string): string {
  return visible(text)
    .split("\n")
    .map((line) => line.replace(/^\s*::/, "\\$&").replaceAll("##[", "##\\["))
    .join("\n");
}
