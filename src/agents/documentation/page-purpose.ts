import { outlineDocument } from "../../syntax/formats/outline.ts";
import { documentationText } from "../../wording/agents.ts";

const longestLead = 240;
const mostSections = 12;
const longestBadges = 4000;

/** What a page is for, by its own words: its title, its first paragraph, and the headings of its sections. */
export function purposeOf(path: string, text: string): string {
  const { blocks } = outlineDocument(path, text);
  const words = (block: (typeof blocks)[number] | undefined): string =>
    block ? text.slice(block.content.start, block.content.end).replace(/\s+/g, " ").trim() : "";
  const headings = blocks.filter(({ kind }) => kind === "heading");
  const title = headings.find(({ depth }) => depth === 1);
  const others = headings.filter((heading) => heading !== title);
  const lead = blocks.find(
    (block) => block.kind === "paragraph" && block.parent === undefined && !isBadges(words(block)),
  );
  const depth = Math.min(...others.map((heading) => heading.depth ?? 1));
  const sections = others.filter((heading) => (heading.depth ?? 1) === depth);
  const named = sections.slice(0, mostSections).map(words);
  const purpose = documentationText.purpose({
    title: words(title),
    lead: shorten(words(lead)),
    sections: sections.length > mostSections ? [...named, "…"] : named,
  });
  return purpose === "" ? documentationText.purposeByPath : purpose;
}

function shorten(text: string): string {
  return text.length <= longestLead ? text : `${text.slice(0, text.lastIndexOf(" ", longestLead))}…`;
}

/** A paragraph of pictures and links alone. */
function isBadges(words: string): boolean {
  return !/\p{L}{2}/u.test(
    words
      .slice(0, longestBadges)
      .replace(/!?\[(?:!\[[^[\]]*\]\([^()]*\)|[^[\]])*\](?:\([^()]*\)|\[[^[\]]*\])?|<[^<>]*>/g, ""),
  );
}
