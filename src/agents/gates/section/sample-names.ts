import { fold } from "../../../drift/change/names.ts";
import { isStandard } from "../names/standard-names.ts";
import type { Piece } from "./pieces.ts";
import { templateNames } from "./template-names.ts";

/**
 * Names in new text that the model was not shown: in inline code, and methods, options and keys in samples. Names that
 * a sample declares itself are its own. In inline code a name may also be one that both code and other pages use, or a
 * word of an example beside it.
 */
export function findNewNames(given: {
  readonly added: readonly Piece[];
  readonly shown: string;
  /** The page above the section. Its names may be used again; an entry needs a name that was shown. */
  readonly above?: string | undefined;
  readonly knows: (name: string) => boolean;
  readonly documents?: ((name: string) => boolean) | undefined;
  /** Whether a name is one of a function. */
  readonly calls?: ((name: string) => boolean) | undefined;
  /** Code with templates that names may be made by. */
  readonly templates?: readonly string[];
}): string[] {
  const shown = new Set(wordsOf(given.shown));
  const onPage = new Set(wordsOf(given.above ?? ""));
  const isMade = templateNames(given.templates ?? [], (word) => shown.has(fold(word)));
  const samples = given.added.filter(({ kind }) => kind === "code").map(({ text }) => text);
  const isChosen = findChosenKeys(given.shown, given.above ?? "");
  const own = new Set([
    ...samples.flatMap(declaredIn),
    ...fieldsIn(given.added),
    ...usedKeysIn(given.added),
    ...samples.flatMap(headsIn).flatMap((one) => (isChosen(one) ? [one.key] : [])),
  ]);
  const lines = given.added.filter(({ kind }) => kind === "prose").flatMap(({ text }) => linesInSpans(text));
  const inExamples = new Set([...samples, ...lines].flatMap(freeWordsIn).map(fold));
  const names = new Set<string>();
  for (const { text, kind } of given.added) {
    const labels = kind === "code" ? [] : labelsIn(text);
    const mentioned = kind === "code" ? membersIn(text) : spansIn(text);
    const subject = kind === "code" ? [] : spansIn(subjectOf(text));
    const calls = new Set(kind === "prose" ? callsIn(text) : []);
    for (const name of mentioned) {
      const isOwn = own.has(name) || shown.has(fold(name)) || isStandard(name) || isMade(name);
      const isCall = calls.has(name);
      const isUsed =
        fold(name) !== "" &&
        (onPage.has(fold(name)) ||
          (given.knows(name) && (kind === "code" || (given.documents?.(name) ?? false)))) &&
        (!isCall || (given.calls?.(name) ?? true));
      const isExample = kind === "prose" && inExamples.has(fold(name));
      const isLabel = labels.includes(name) && (given.documents?.(name) ?? false);
      // An entry is about a thing of the change. Other things may be mentioned in it.
      if (!isOwn && (!isUsed || subject.includes(name)) && !isExample && !isLabel) names.add(name);
    }
  }
  return [...names];
}

/** The inline code that an entry of a list, a row or a heading begins with. */
function subjectOf(text: string): string {
  return /^\s*(?:(?:[-*+]|\d+[.)]|\||#{1,6})[\s*_[]*`[^`\n]+`|`[^`\n]+`(?=\s*:))/.exec(text)?.[0] ?? "";
}

/** Fields of a class that a sample declares, where another line uses them. */
function fieldsIn(added: readonly Piece[]): string[] {
  const blocks = Map.groupBy(
    added.filter(({ kind }) => kind === "code"),
    ({ block }) => block,
  );
  return [...blocks.values()].flatMap((lines) => {
    const first = lines.findIndex(({ text }) =>
      /\b(?:class|struct|interface|record|dataclass|enum)\b/.test(text),
    );
    if (first < 0) return [];
    const fields = lines.slice(first + 1).flatMap(({ text }) => fieldShape.exec(text)?.slice(1) ?? []);
    const uses = (name: string): number =>
      lines.filter(({ text }) => wordsOf(text).includes(fold(name))).length;
    return fields.filter((name) => uses(name) > 1);
  });
}

/** Keys for which a sample calls a function, and which another of its lines uses in another way. */
function usedKeysIn(added: readonly Piece[]): string[] {
  const samples = Map.groupBy(
    added.filter(({ kind }) => kind === "code"),
    ({ block }) => block,
  );
  return [...samples.values()].flatMap((lines) => {
    const calls = lines.flatMap(({ text }) => headsIn(text).map(({ key }) => key));
    const others = new Set(
      lines.filter(({ text }) => headsIn(text).length === 0).flatMap(({ text }) => wordsOf(text)),
    );
    return calls.filter((key) => others.has(fold(key)));
  });
}

/** A key, and the function that is called for its value. */
type KeyOfCall = { readonly key: string; readonly call: string };

/** The page has at least so many keys before a call if keys there are an author's choice. */
const fewestKeys = 2;

/** Whether samples of the page have several other keys before the same call: `getPost: build.query(`. */
function findChosenKeys(...texts: readonly string[]): (one: KeyOfCall) => boolean {
  let keys: Map<string, Set<string>> | undefined;
  return ({ call }) => {
    keys ??= new Map(
      [...Map.groupBy(texts.flatMap(headsIn), (one) => one.call)].map(([name, all]) => [
        name,
        new Set(all.map(({ key }) => key)),
      ]),
    );
    return (keys.get(call)?.size ?? 0) >= fewestKeys;
  };
}

function headsIn(text: string): KeyOfCall[] {
  const shape =
    /(?<![\w$.])([\p{L}_$][\p{L}\p{N}_$]{2,80})\s?:\s(?:await\s)?([\p{L}_$][\p{L}\p{N}_$]{0,80}(?:\.[\p{L}_$][\p{L}\p{N}_$]{0,80}){0,4})(?=(?:<[^()\n]{0,200}>)?\()/gu;
  return Array.from(text.matchAll(shape), ([, key, call]) => ({ key: key!, call: call! }));
}

const fieldShape =
  /^(?:\.\.\.\s*)?(?:(?:public|private|readonly|pub|val|var)\s+)*([\p{L}_$][\p{L}\p{N}_$]*)\??\s*[:=](?![:=])/u;

/** The labels of references of reStructuredText. */
function labelsIn(text: string): string[] {
  return Array.from(
    text.matchAll(/:(?:ref|doc|term|numref):`(?:[^`<]*<)?([^`<>]+)>?`/g),
    ([, label]) => label!,
  );
}

/** Names in inline code: `name`, `name()`, `owner.name`. */
function spansIn(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\n]{1,120})`/g), ([, code]) => code!)
    .filter((code) =>
      /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->|\?\.)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\([^)]*\))?$/u.test(code),
    )
    .flatMap((code) => code.replace(/\(.*$/s, "").split(/\.|::|#|->|\?\./))
    .filter((name) => name.length > 2);
}

/** Names in inline code that are written as calls: `name()`, `owner.name(1)`. */
function callsIn(text: string): string[] {
  return Array.from(
    text.matchAll(/(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)\([^()`\n]*\)`/gu),
    ([, name]) => name!,
  );
}

/** Command lines, paths and quoted values in inline code, without the names of calls: examples of a reader's own words. */
function linesInSpans(text: string): string[] {
  return Array.from(text.matchAll(/(`{1,2})(?!`)([^`\n]{1,200})\1/g), ([, , code]) => code!.trim())
    .filter((code) => /[\s/"']/.test(code))
    .map((code) => code.replace(/(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+\s*\(/gu, "("));
}

/** Called methods, keys and keyword arguments in a line of code. */
function membersIn(text: string): string[] {
  // A sample may stand in a quotation.
  const line = text.replace(/^[\s>]+/, "");
  const code = line.replace(/(["'`])(?:\\.|(?!\1|\\).)*\1/g, "''").replace(/(?:\/\/|#\s).*$/, "");
  const members = code.matchAll(/(?:\.|::|->)([\p{L}_$][\p{L}\p{N}_$]{2,})\s*\(/gu);
  const keys = code.matchAll(
    /(?:^(?:-\s+)?|[{,(]\s*|^\s+)([\p{L}_$][\p{L}\p{N}_$]{2,})\s*(?::(?!:)|=(?![=>]))/gu,
  );
  const quoted = line.matchAll(/(["'])([\p{L}_$][\p{L}\p{N}_$-]{2,})\1\s*:/gu);
  const variables = code.matchAll(/(?<![\w$.-])([A-Z][A-Z0-9]*(?:_[A-Za-z0-9]+)+)=/g);
  return [
    ...Array.from([...members, ...keys, ...variables], ([, name]) => name!),
    ...Array.from(quoted, ([, , name]) => name!),
  ];
}

/** Words of a line of code that are no methods and no keys: programs, variables and values of the example. */
function freeWordsIn(line: string): string[] {
  const bound = new Set(membersIn(line));
  const values = Array.from(line.matchAll(/(["'])((?:(?!\1).)*)\1(?!\s*:)/g), ([, , value]) => value!);
  return [
    ...(line.match(/(?<![\p{L}\p{N}_$.-])[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
    ...values.flatMap((value) => value.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
  ].filter((word) => !bound.has(word));
}

function declaredIn(line: string): string[] {
  const declared = line.matchAll(
    /\b(?:const|let|var|function|def|class|fn|func|type|interface|for|import|from|as)\s+(?:\(?[{[]?\s*)([\p{L}_$][\p{L}\p{N}_$]*)/gu,
  );
  const parameters = line.matchAll(/(?:\(|,\s*)([\p{L}_$][\p{L}\p{N}_$]*)\s*(?=[,)])/gu);
  return [...Array.from(declared, ([, name]) => name!), ...Array.from(parameters, ([, name]) => name!)];
}

function wordsOf(text: string): string[] {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/gu) ?? [];
  return words.flatMap((word) => [fold(word), ...word.split(/[-_]/).map(fold)]).filter((word) => word !== "");
}
