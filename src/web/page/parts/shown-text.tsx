import type { ComponentChildren, VNode } from "preact";
import {
  codeName,
  findInvisibleCharacters,
  type InvisibleCharacter,
} from "../../../text/characters/invisible-characters.ts";

/**
 * Untrusted text: every character that hides, reorders or imitates another is shown by its number.
 * `spaces` also shows white space, for inserted and deleted text.
 */
export function ShownText({ text, spaces = false }: { text: string; spaces?: boolean }): VNode {
  const pieces: ComponentChildren[] = [];
  let at = 0;
  for (const found of findInvisibleCharacters(text, { mixedScripts: true })) {
    push(pieces, text.slice(at, found.start), spaces);
    pieces.push(<InvisibleMark found={found} text={text} />);
    at = found.end;
  }
  push(pieces, text.slice(at), spaces);
  return <>{pieces}</>;
}

/** A sentence with names in backticks, like a reason. */
export function ShownSentence({ text }: { text: string }): VNode {
  const parts = text.split(/`([^`\n]{1,400})`/);
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 1 ? (
          <code>
            <ShownText text={part} />
          </code>
        ) : (
          <ShownText text={part} />
        ),
      )}
    </>
  );
}

const says: Record<InvisibleCharacter["kind"], string> = {
  control: "a control character",
  bidi: "a character that changes the direction of text",
  hidden: "a character that cannot be seen",
  "mixed-script": "a letter of another alphabet than the rest of the word",
};

function InvisibleMark({ found, text }: { found: InvisibleCharacter; text: string }): VNode {
  const name = codeName(found.code);
  const title = `${name}: ${says[found.kind]}`;
  if (found.kind === "mixed-script")
    return (
      <mark class="unseen mixed-script" title={title}>
        {text.slice(found.start, found.end)}
        <span class="code">{name}</span>
      </mark>
    );
  return (
    <mark class={`unseen ${found.kind}`} title={title}>
      {name}
    </mark>
  );
}

function push(pieces: ComponentChildren[], text: string, spaces: boolean): void {
  if (text === "") return;
  if (!spaces || !/\s/.test(text)) {
    pieces.push(text);
    return;
  }
  // A space between words is visible. A space at an end, or alone, is not.
  const shows = text.trim() === "" || /^\s|\s$|\s{2}|[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]/.test(text);
  if (!shows) pieces.push(text);
  else
    for (const part of text.split(/(\s+)/))
      if (part !== "") pieces.push(/\s/.test(part) ? <span class="space">{glyphs(part)}</span> : part);
}

function glyphs(space: string): string {
  return space.replace(/[^\n]/g, (one) => (one === "\t" ? "→\t" : one === " " ? "·" : "⍽"));
}
