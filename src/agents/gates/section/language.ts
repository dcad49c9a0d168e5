/** A sentence of fewer words, or a page of fewer, says too little. */
const fewestWords = 6;
const fewestOfPage = 20;

/** Whether a sentence is in another language than the page: not one of its words, or of its foreign letters, is there. */
export function otherLanguageThan(page: string): (sentence: string) => boolean {
  let own: ReadonlySet<string> | undefined;
  return (sentence) => {
    const said = wordsOf(sentence);
    if (said.length < fewestWords) return false;
    const known = (own ??= new Set(wordsOf(page)));
    const letters = said.filter((word) => !/^\p{Script=Latin}/u.test(word));
    const isNew = (words: readonly string[]): boolean => !words.some((word) => known.has(word));
    return (letters.length >= fewestWords && isNew(letters)) || (known.size >= fewestOfPage && isNew(said));
  };
}

/** The words of prose without code and addresses; of other scripts than Latin, which may have no spaces, the letters. */
function wordsOf(text: string): string[] {
  const prose = text
    .replace(/`[^`\n]*`|\]\([^)\n]{0,1000}\)/g, " ")
    .replace(/\bhttps?:\/\/\S*|(?<![\w-])[\w-]+(?:\.[\w-]+)+/g, " ");
  return prose.toLowerCase().match(/\p{Script=Latin}+|\p{L}/gu) ?? [];
}
