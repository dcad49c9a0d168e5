/**
 * Whether a goal asks for a change: an order or a wish to change something that is not taken back. Every other goal
 * only reads, so that a question or an analysis never becomes an edit.
 */
export function asksForChange(goal: string): boolean {
  const text = withoutNames(goal);
  if (blanket.test(text)) return false;
  return splitClauses(text).some((clause) => isOrder(clause) || isWish(clause));
}

const verbs =
  "fix|change|update|edit|modify|rename|add|remove|delete|drop|implement|refactor|rewrite|reword|write|create|generate|replace|apply|make|insert|move|document|translate|upgrade|bump|correct|convert|migrate|run|execute|improve|extract|split|merge|format|clean|simplify|set|put|use|turn|extend|shorten|mention|repair|append|introduce|restore|revert|sort|align|adjust|adapt|proofread and correct|bring";
const participles =
  "fixed|changed|updated|edited|modified|renamed|added|removed|deleted|dropped|implemented|refactored|rewritten|reworded|written|created|generated|replaced|inserted|moved|documented|translated|upgraded|corrected|converted|migrated|improved|split|merged|formatted|simplified|mentioned|repaired";

// "Any other file" is no blanket, and "don't explain, just fix it" takes nothing back.
const sameClause =
  "(?:(?!\\b(?:other|else|outside|except|unless|beyond)\\b|,\\s*(?:just|simply|instead|rather)\\b)[^.;!?\\n])";

/** "Change nothing", "without changing anything", "do not edit or modify any file": the whole goal only reads. */
const blanket = new RegExp(
  `\\b(?:do not|don't|dont|never|must not|should not|mustn't|shouldn't|without|avoid|refrain from|not to)\\b${sameClause}{0,60}?\\b(?:chang|edit|modif|writ|touch|alter|fix|updat)\\w*\\b${sameClause}{0,40}?\\b(?:anything|any (?:files?|code|source|lines?|thing)|a thing|files?)\\b(?! (?:other|else|outside|than|beyond|except|unless))` +
    `|\\b(?:chang|edit|modif|writ|touch|fix|mak|${verbs})\\w*\\s+(?:nothing|no (?:changes?|edits?|files?|modifications?|code))\\b(?! (?:else|other|but|except))` +
    `|\\b(?:no (?:changes?|edits?|modifications?|writes?)|read[- ]only|dry[- ]run|look(?:ing)? only|analysis only|only (?:look|read|report|analy[sz]e))\\b`,
  "i",
);

/** File names and quoted text say what a goal is about, and not what to do with it. */
function withoutNames(goal: string): string {
  return goal
    .replace(/`[^`]*`|"[^"]*"/g, " it ")
    .replace(/[\w@~-]+(?:\/[\w.@-]+)+|\b[\w-]+\.[A-Za-z]\w{0,8}\b/g, " file ");
}

function splitClauses(text: string): string[] {
  return text
    .split(/(?<=[?])|[.;:!\n]+|,|\b(?:and(?: then| also)?|then|but|so that|after that|afterwards|or)\b/i)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
}

const opening =
  "(?:(?:please|now|also|next|first|finally|just|kindly|ok|okay|hey|hi|again|instead|go ahead and|be sure to|let'?s|let us|help me(?: to)?|try to|you (?:should|must|can|may|need to|have to)|(?:i|we)(?:'d| would)? (?:want|like|need)(?: you)? to|(?:i|we) (?:want|need|have) to|(?:can|could|would|will) you(?: please)?|where (?:needed|necessary|possible)|in \\w+|for (?:each|every|all) [\\w ]{1,30}?)\\s+)*";
const order = new RegExp(
  `^${opening}(?:carefully |quickly |surgically |automatically )?(?:re-?)?(?:${verbs})\\b`,
  "i",
);

function isOrder(clause: string): boolean {
  const isRequest = /^(?:please\s+)?(?:can|could|would|will) you\b/i.test(clause);
  if (clause.endsWith("?") && !isRequest) return false;
  // "Make sure that …", "set out …", "use of …" and "run through …" order nothing to be written.
  if (/\b(?:make sure|set out|run through|use of|sort of)\b/i.test(clause)) return false;
  return order.test(clause);
}

const wish = new RegExp(
  `\\b(?:should|must|needs? to|has to|have to|ought to|is to|are to) (?:all |now )?be (?:${participles})\\b` +
    `|\\b(?:i|we) (?:want|need|would like|'d like) [\\w' ]{1,40}? (?:${participles})\\b`,
  "i",
);

function isWish(clause: string): boolean {
  return (
    !clause.endsWith("?") &&
    !/\b(?:what|which|whether|if|how|why|where|when)\b/i.test(clause) &&
    wish.test(clause)
  );
}
