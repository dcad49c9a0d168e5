/** Common words of languages that share an alphabet. Words that two of them have are left out. */
const commonWords: Readonly<Record<string, readonly string[]>> = {
  English: "the of and to is that for with this are be it you can not or from by if when".split(" "),
  German:
    "der die das und ist nicht ein eine mit für auf wird werden von zu den dem oder wenn durch auch".split(
      " ",
    ),
  French: "le les des et est une pour dans que qui avec sur ne pas du au vous sont ou cette".split(" "),
  Spanish: "el los las y una por con para del se al como su más esta puede son cuando este".split(" "),
  Portuguese: "os uma não com em mais dos das ao pelo você são quando também ser tem foi isso à seu".split(
    " ",
  ),
  Italian: "il gli di che è non della nel sono alla si ha anche dei questo può essere quando dal lo".split(
    " ",
  ),
  Dutch: "het een van en niet voor met op zijn dat wordt aan ook bij naar kan deze uit als worden".split(" "),
};

const scripts = [
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Cyrillic",
  "Arabic",
  "Hebrew",
  "Devanagari",
  "Thai",
  "Greek",
];

/** Whether a sentence is in another language than the page. Short sentences and unclear pages are let pass. */
export function otherLanguageThan(page: string): (sentence: string) => boolean {
  let own: string | null | undefined;
  return (sentence) => {
    const words = proseOf(sentence);
    if (isOtherScript(words, page)) return true;
    own ??= languageOf(proseOf(page))?.name ?? null;
    return own !== null && isOtherVocabulary(words, own);
  };
}

/** The text without code and addresses: the `com` of a host is a Portuguese word. */
function proseOf(text: string): string {
  return text
    .replace(/`[^`\n]*`/g, " ")
    .replace(/\]\([^)\n]{0,1000}\)/g, "]")
    .replace(/\bhttps?:\/\/\S*|(?<![\w-])[\w-]+(?:\.[\w-]+)+/g, " ");
}

function isOtherScript(sentence: string, page: string): boolean {
  const letters = count(sentence, /\p{L}/gu);
  return scripts.some((script) => {
    const shape = new RegExp(`\\p{Script=${script}}`, "gu");
    return count(sentence, shape) * 3 > letters && count(page, shape) === 0;
  });
}

const fewest = 3;

function isOtherVocabulary(sentence: string, own: string): boolean {
  const written = languageOf(sentence);
  return written !== null && written.name !== own && hitsOf(sentence, own) === 0;
}

/** The language whose common words a text has most of, if it has clearly more of them than of any other. */
function languageOf(text: string): { readonly name: string; readonly hits: number } | null {
  const ranked = Object.keys(commonWords)
    .map((name) => ({ name, hits: hitsOf(text, name) }))
    .sort((a, b) => b.hits - a.hits);
  const [first, second] = ranked;
  return first && second && first.hits >= fewest && first.hits >= 2 * second.hits ? first : null;
}

function hitsOf(text: string, language: string): number {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => commonWords[language]!.includes(word)).length;
}

function count(text: string, shape: RegExp): number {
  return text.match(shape)?.length ?? 0;
}
