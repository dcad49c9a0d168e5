import { findSecret } from "../../text/match/secrets.ts";
import { gateText } from "../../wording/agents.ts";
import { findHarmfulCommands } from "./commands/harmful.ts";
import { resolveReferences } from "./normalise.ts";
import type { DraftedPage, GateVerdict, Objection, Risk } from "./objection.ts";

/** New text must not hold a secret, a script in an address, or a harmful command. */
export function checkSafety(
  { path, before, after }: DraftedPage,
  secrets: readonly string[],
): Partial<GateVerdict> {
  const old = before ?? "";
  const objections: Objection[] = [];
  const object = (detail: string): void => void objections.push({ gate: "safety", path, detail });
  const newSecrets = secrets.filter((secret) => !old.includes(secret));
  if (findSecret(after, newSecrets, old)) object(gateText.secret);
  for (const { what, shape } of active)
    for (const [found] of resolveReferences(after).matchAll(shape))
      if (!old.includes(found)) {
        object(gateText.active(what, found.slice(0, 60)));
        break;
      }
  const known = new Set(findHarmfulCommands(old).map(({ key }) => key));
  for (const { what, text, key } of findHarmfulCommands(after))
    if (!known.has(key)) object(gateText.active(`a command that ${what}`, text.slice(0, 60)));
  return { objections, risks: findCommands(path, old, after) };
}

const active: readonly { readonly what: string; readonly shape: RegExp }[] = [
  {
    what: "a script address",
    shape: /\b(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:\s*[^\s)]{1,100}/gi,
  },
  {
    what: "a page in an address",
    shape:
      /\bdata:\s*(?:text\/(?:html|xml|javascript)|application\/(?:xhtml|javascript|xml)|image\/svg)[^\s)]{0,60}/gi,
  },
];

/** New commands for readers to type. A person should look at them. */
function findCommands(path: string, old: string, after: string): Risk[] {
  const typed =
    /^[ \t>]*(?:\$ )?((?:sudo|curl|wget|docker|kubectl|chmod|chown|ssh|scp|export|npx|pip3? install|npm (?:i|install))\b[^\n]{0,200})$/gm;
  return Array.from(after.matchAll(typed), ([, command]) => command!.trim())
    .filter((command) => !old.includes(command))
    .map((command) => ({ path, what: "new command", detail: command }));
}
