/** Words with places to fill in: `a_${b}`, `a_%s`, `a_%[1]s`, `a_{b}`, `a_#{b}`. */
const templateShape = /(?:[\w-]|PLACE){0,80}PLACE(?:[\w-]|PLACE){0,80}/g;
const placeShape = /[$#]?\{[^{}\n]{0,80}\}|%(?:\[\d+\])?[sdvq]/g;

const mark = "\u0000";
/** Places without a letter between them are one. */
const places = new RegExp(`${mark}+`, "g");
/** More places, or longer names, would take long to try. */
const mostPlaces = 3;
const longestName = 200;

/** A template must have this many letters of its own: `get_${name}` fits too many names. */
const fewestLetters = 6;

/**
 * Whether a name is made by a template of some code: the letters between the places are those of the template, and each
 * place is filled with a word that is known.
 */
export function templateNames(
  code: readonly string[],
  isWord: (word: string) => boolean,
): (name: string) => boolean {
  let shapes: RegExp[] | undefined;
  return (name) => {
    if (name.length > longestName) return false;
    shapes ??= [...new Set(code.flatMap(templatesIn))].map(asShape);
    return shapes.some((shape) => {
      const words = shape.exec(name)?.slice(1);
      return words?.every((word) => isWord(word)) ?? false;
    });
  };
}

function templatesIn(text: string): string[] {
  const marked = text.replaceAll(mark, " ").replace(placeShape, mark).replace(places, mark);
  const shape = new RegExp(templateShape.source.replaceAll("PLACE", mark), "g");
  return Array.from(marked.matchAll(shape), ([found]) => found).filter(
    (found) =>
      found.replace(/[^\p{L}]/gu, "").length >= fewestLetters && found.split(mark).length <= mostPlaces + 1,
  );
}

/** Letters, digits, dashes and underscores mean themselves in a pattern. */
function asShape(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(mark, "([\\p{L}\\p{N}]+)")}$`, "u");
}
