import { isDocumentPath } from "../../drift/pages/policies.ts";

/** What a person's words say about a run, before any model reads them. */
export type Goal = {
  /** `look`: the words plainly ask to look and not to touch. `change`: they plainly ask for a change. */
  readonly asks: "look" | "change" | "unclear";
  /** The words that say what to do. */
  readonly wanted: string;
  /** The words that say what to leave alone. */
  readonly unwanted: string;
};

/**
 * Reads a goal clause by clause. A planner decides what a goal means: this only finds the goals that plainly want
 * nothing changed, the goals that plainly want a change, and the parts of a goal that put a limit on it.
 */
export function readGoal(goal: string): Goal {
  const masked = maskNames(goal);
  const clauses = splitClauses(masked).map((clause) => ({ ...clause, kind: kindOf(clause) }));
  for (const [i, clause] of clauses.entries())
    if (continuesLimit(clause, clauses[i - 1]?.kind)) clause.kind = "limit";
  const slices = (isLimit: boolean): string =>
    clauses
      .filter(({ kind }) => (kind === "limit") === isLimit)
      .map(({ start, end }) => goal.slice(start, end))
      .join("\n");
  const kinds = clauses.map(({ kind }) => kind);
  return { asks: whatIsAsked(kinds), wanted: slices(false), unwanted: slices(true) };
}

/** A file, folder or glob in a goal. */
export const nameShape =
  /(?<![\w/.@-])(?:\.{0,2}\/)?(?:[\w@.*-]+\/)+[\w@.*-]*|(?<![\w/@-])[\w@*-]*\.?[\w@*-]+\.[A-Za-z][A-Za-z0-9]{0,8}\b(?!\()|(?<![\w/.])\.[a-z][\w.-]+/g;

const [page, otherFile, quoted] = ["¤", "§", "‡"];

/** The goal with as many marks as a name or a quotation has characters, so that places stay the same. */
function maskNames(goal: string): string {
  return goal
    .replace(/,\s*(?:ever|please|under any circumstances|if possible)\s*,/gi, (words) =>
      " ".repeat(words.length),
    )
    .replace(/[`"](?![^`"]*[/.]\w)[^`"]*[`"]/g, (words) => quoted.repeat(words.length))
    .replace(nameShape, (name) => {
      const end = /(?<![.,:;])[.,:;]+$/.exec(name)?.[0] ?? "";
      const length = name.length - end.length;
      return (isDocumentPath(name.slice(0, length)) ? page : otherFile).repeat(length) + end;
    });
}

type ClauseKind = "nothing" | "limit" | "look" | "told" | "order" | "perhaps" | "rest";
type Clause = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The words that join it to the clause before. */
  readonly joint: string;
  /** The words after it: "anything" means less before "else". */
  readonly next: string;
};

const joint =
  /(?<=\?)|[.;:!\n]+|,|\b(?:and(?: then| also)?|then|(?<!\b(?:nothing|anything|files?)\s)but(?! not\b)|so that|after that|afterwards|or)\b|(?=\b(?:without|except|but not|other than)\b)/gi;

function splitClauses(masked: string): Clause[] {
  const joints = Array.from(masked.matchAll(joint), ({ 0: words, index }) => ({ words, index }));
  const clauses: Clause[] = [];
  let start = 0;
  let before = "";
  for (const { words, index } of [...joints, { words: "", index: masked.length }]) {
    const text = masked.slice(start, index).trim();
    const next = masked.slice(index, index + 12);
    if (text !== "") clauses.push({ start, end: index, text, joint: before, next });
    start = index + words.length;
    before = words.toLowerCase();
  }
  return clauses;
}

const touching = "(?:chang|edit|modif|writ|rewrit|touch|alter|fix|updat|remov|delet|renam|reformat|mak)\\w*";
const negation =
  "(?:do not|don['’]?t|never|(?:must|should|may|shall) not|mustn['’]t|shouldn['’]t|without|avoid|refrain from|not to|no need to)";
const exception =
  "(?!,?\\s*(?:but|other|else|outside|than|beyond|except|unless|apart|in|of|under|below|to|from|that|which|with|whose)\\b)";
const everything = "(?:anything|nothing|a thing|any (?:files?|lines?|thing)|files?|them)";

/** "Change nothing", "without editing any file", "make no changes", "a dry run": nothing may be written. */
const nothing = new RegExp(
  `^(?:\\w+ ){0,3}?${negation} (?:\\w+ ){0,3}?${touching}(?: or \\w+)*(?: \\w+){0,2}? (?:anything|a thing|any (?:files?|lines?|thing)|files)\\b${exception}` +
    `|^(?:\\w+ ){0,2}?\\w+ nothing\\b${exception}` +
    `|^(?:\\w+ ){0,3}?no (?:changes?|edits?|modifications?|writes?)\\b(?:${exception}|(?= (?:to|in) ${everything}\\b))` +
    "|\\b(?:as|in|do|make) a dry[- ]run\\b|^(?:\\w+ ){0,3}?(?:(?:stay|strictly|be|keep it|this is) read[- ]only)\\b|^(?:read[- ]only|dry[- ]run)\\b(?! \\w+ to\\b)" +
    "|^(?:just |please )?(?:only (?:look|read|report|analy[sz]e)|look only|analysis only)\\b",
  "i",
);

/** "Do not touch X", "leave X alone", "except X": X stays as it is. */
const limit = new RegExp(
  `^(?:\\w+ ){0,3}?${negation} (?:\\w+ ){0,3}?${touching}|^(?:except|but not|other than|not)\\b|\\b(?:leave|keep)\\b.*\\b(?:alone|untouched|unchanged|intact|as (?:it|they) (?:is|are)|as is|out of)\\b`,
  "i",
);

const opening =
  "(?:(?:please|now|also|next|first|finally|just|only|simply|kindly|ok|okay|hey|hi|again|instead|carefully|quickly|go ahead and|be sure to|let'?s|let us|help me(?: to)?|try to|you (?:should|must|can|may|need to|have to)|(?:i|we)(?:'d| would)? (?:want|like|need)(?: you)? to|(?:i|we) (?:want|need|have) to|(?:can|could|would|will) you(?: please)?|where (?:needed|necessary|possible)|(?:in|for|from|on|inside|within|under) (?:(?:each|every|all|the|our) )?\\S+(?: (?:and|or) \\S+)*(?: (?:of|in) \\S+)?,?)\\s+)*";
const looking =
  "analy[sz]e|analy[sz]ing|review|audit|inspect|examine|investigate|assess|evaluate|explain|describe|summari[sz]e|suggest|propose|recommend|advise|list|find|look|tell|understand|know|learn|study|research|think|consider|estimate|diagnose|proofread|spot|point out|walk (?:me|us) through|give (?:me|us)|show (?:me|us|which|what|where|how)|have a look|determine|figure out|explore|discuss|brainstorm|(?:an? )?(?:code |security |performance )?(?:analysis|overview|summary|critique) of|what|why|how|which|where|who|when|whether";
/** What a person checks is one thing among others; "check for null" and "count requests" are orders to a program. */
const alsoPrograms = `(?:check|verify|count|compare|report|read|search|trace|detect|locate|identify|answer|see|double-check)(?=$| (?:in|on|out|back|through|whether|if|that|which|what|how|why|where|the|all|every|each|this|these|our|my|your|any|[${page}${otherFile}${quoted}]))`;
const look = new RegExp(`^${opening}(?:${looking}|${alsoPrograms})(?![\\w-])`, "i");
/** What can be told to the person can be written on a page as well: "list the flags in the README". */
const told = new RegExp(
  `^${opening}(?:explain|describe|summari[sz]e|list|report|show|count)\\b(?! (?:what|which|whether|why|where)\\b).*\\b(?:in|into|to|on|at|below|under) (?:(?:the|a|an|our|its|each|every) )?(?:[\\w-]+ )?(?:${page}|readme|docs?\\b|documentation|changelog|guide|manual|page|header|(?:top|end|bottom) of|help|error|output|log)`,
  "i",
);
const changing =
  "fix|change|update|edit|modify|rename|add|remove|delete|drop|implement|refactor|rewrite|reword|write|create|generate|replace|apply|make|insert|move|document|translate|upgrade|downgrade|bump|correct|convert|migrate|run|execute|improve|extract|split|merge|format|clean|simplify|set|put|turn|extend|shorten|mention|repair|append|introduce|restore|revert|sort|reorder|align|adjust|adapt|bring|switch|swap|deprecate|expand|tidy|wrap|enable|disable|annotate|inline|port|bundle|mark|optimi[sz]e|configure|install|publish|pin|rework|restructure|reorgani[sz]e|moderni[sz]e|capitali[sz]e";
const order = new RegExp(`^${opening}(?:re-?)?(?:${changing})(?![\\w-])(?! (?:sure|out)\\b)`, "i");
/** A word before "the", "it" or a name is a verb more often than not. */
const perhapsOrder = new RegExp(
  `^${opening}(?!keep|make|be|is|are|was|were|do|does|did|has|have|had|if|as|on|in|of|for|with|that|than|from|to|by|into|about|at|because|since|while)(?:use \\w|[a-z-]+ (?:up |out |off |in |down )?(?:the|an?|all|every|each|both|it|them|this|these|those|any|its|our|my|[${page}${otherFile}${quoted}]+)(?![\\w-]))`,
  "i",
);
const wish =
  /\b(?:should|must|needs? to|has to|have to|ought to|is to|are to) (?:all |now )?be \w+(?:ed|en|t)\b|\b(?:i|we) (?:want|need|would like|'d like) [\w' ]{1,40}? \w+(?:ed|en)\b/i;
const question = /\b(?:what|which|whether|if|how|why|where|when)\b/i;

function kindOf({ text, next }: Clause): ClauseKind {
  if (nothing.test(text + next)) return "nothing";
  if (limit.test(text)) return "limit";
  if (new RegExp(`^${negation}\\b`, "i").test(text)) return "rest";
  const isRequest = /^(?:please\s+)?(?:can|could|would|will) you\b/i.test(text);
  if (text.endsWith("?") && !isRequest) return "look";
  if (told.test(text)) return "told";
  if (look.test(text)) return "look";
  if (order.test(text)) return "order";
  if (wish.test(text) && !question.test(text)) return "order";
  return perhapsOrder.test(text) ? "perhaps" : "rest";
}

/** "Do not touch a.ts, b.ts or the tests": the list goes on; after "or", so does the prohibition. */
function continuesLimit(
  { kind, joint }: Clause & { readonly kind: ClauseKind },
  before: ClauseKind | undefined,
): boolean {
  if (before !== "limit") return false;
  return joint === "or" || (kind === "rest" && (joint === "," || joint === "and"));
}

function whatIsAsked(kinds: readonly ClauseKind[]): Goal["asks"] {
  const has = (kind: ClauseKind): boolean => kinds.includes(kind);
  if (has("nothing") || kinds.length === 0) return "look";
  if (has("order")) return "change";
  if (has("look")) return has("perhaps") || has("told") ? "unclear" : "look";
  return has("perhaps") ? "change" : "unclear";
}
