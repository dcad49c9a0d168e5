import { gateText } from "../../wording/agents.ts";
import { findSecret } from "../run/redact.ts";
import type { DraftedPage, GateVerdict, Objection, Risk } from "./objection.ts";

/** New text must not hold a secret, active HTML, or a command that runs a download. */
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
    for (const [found] of after.matchAll(shape))
      if (!old.includes(found)) {
        object(gateText.active(what, found.slice(0, 60)));
        break;
      }
  return { objections, risks: findCommands(path, old, after) };
}

const active: readonly { readonly what: string; readonly shape: RegExp }[] = [
  { what: "active HTML", shape: /<(?:script|iframe|object|embed|form|base|meta|link)\b[^>\n]{0,200}/gi },
  { what: "an event handler", shape: /<[a-z][^>\n]{0,200}\son[a-z]{3,20}\s*=/gi },
  { what: "a script address", shape: /\b(?:javascript|vbscript):[^\s)]{1,100}|\bdata:text\/html/gi },
  {
    what: "a command that runs what it fetches",
    shape: /\b(?:curl|wget|iwr|irm)\b[^\n]{0,300}\|\s*(?:sudo\s+)?(?:\w*sh|iex|python\d?|node|perl|ruby)\b/gi,
  },
  {
    what: "a command that runs what it fetches",
    shape:
      /\b(?:(?:ba|z|da|k)?sh\s+(?:-c\s+)?["']?[<$]\(\s*(?:curl|wget)|eval\s+["']?\$\(\s*(?:curl|wget)|Invoke-Expression)[^\n]{0,100}/gi,
  },
  { what: "a command that destroys files", shape: /\brm\s+-[a-z]*(?:rf|fr)[a-z]*\s+[/~$][^\n]{0,60}/gi },
  { what: "a command that hides what it runs", shape: /\bbase64\s+(?:-d|-D|--decode)\b[^\n]{0,100}/gi },
];

/** New commands for readers to type. A person should look at them. */
function findCommands(path: string, old: string, after: string): Risk[] {
  const typed =
    /^[ \t>]*(?:\$ )?((?:sudo|curl|wget|docker|kubectl|chmod|chown|ssh|scp|export|npx|pip3? install|npm (?:i|install))\b[^\n]{0,200})$/gm;
  return Array.from(after.matchAll(typed), ([, command]) => command!.trim())
    .filter((command) => !old.includes(command))
    .map((command) => ({ path, what: "new command", detail: command }));
}
