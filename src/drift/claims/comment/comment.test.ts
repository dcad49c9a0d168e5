import { expect, test } from "vitest";
import { applySplices } from "../../../text/model/splice.ts";
import { driftBetween } from "../../drift-between.ts";

/** The findings about one source file: the line, and the line after the edit where there is one. */
async function stale(path: string, before: string, after: string): Promise<string[]> {
  const { findings } = await driftBetween(new Map([[path, before]]), new Map([[path, after]]));
  return findings
    .filter(({ kind, tier }) => kind === "comment" && tier !== "possible")
    .map(({ startLine, edits }) => {
      const splices = edits.map(({ target, ...edit }) => ({
        region: (target as { region: { start: number; end: number } }).region,
        text: (edit as { text: string | null }).text ?? "",
      }));
      const said = after.split("\n")[startLine - 1]!.trim();
      return splices.length === 0 ? said : applySplices(after, splices).split("\n")[startLine - 1]!.trim();
    });
}

type Row = readonly [
  title: string,
  path: string,
  before: string,
  now: readonly [string, string],
  stale: string[],
];

const google = `def cut(board, length, unit="mm"):
    """Cut a board.

    Args:
        board (Board): What to cut.
        length: Where to cut.
        unit (str): Of the length.

    Raises:
        TooShort: If it is.
    """
    if length < 1:
        raise TooShort(length)
`;
const aliased = `from typing import Type

def cut(board: Type, length: int):
    """Cut a board.

    Args:
        board (Type): What to cut.
        length (int): Where to cut.
    """
`;
const numpy = `def cut(board, length, saw):
    """Cut a board.

    Parameters
    ----------
    board : Board
        What to cut.
    length, saw : int

    Returns
    -------
    Board
    """
`;
const dataclass = `@dataclass
class Saw:
    """A saw.

    Args:
        teeth: How many.
        blade: Which one.
    """

    teeth: int
    blade: str = "fine"
`;
const jsdoc = `/**
 * Cuts a board.
 * @param {Board} board - what to cut
 * @param {number} [length=10] where
 * @param {object} options
 * @param {string} options.unit
 */
export function cut(board, length = 10, options) {}
`;
const overloads = `/** @param length where */
export function cut(length: number): void;
export function cut(length: number, unit: string): void;
export function cut(length: number, unit?: string): void {}
`;
const java = `public class Saw {
    /**
     * @param length where
     * @throws IOException if it breaks
     */
    public void cut(int length) throws IOException {}

    public void cut(String place) {}
}
`;
const rust = `/// Cuts.
///
/// # Arguments
///
/// * \`length\` - where
pub fn cut(length: u32) {}
`;
const doxygen = `/**
 * @param[in] length where
 */
int cut(int length);
`;
const csharp = `public class Saw
{
    /// <param name="length">where</param>
    /// <exception cref="TooShort">if it is</exception>
    public void Cut(int length) { throw new TooShort(); }
}
`;

const rows: readonly Row[] = [
  ["an entry of Args", "saw/cut.py", google, ["length, unit", "place, unit"], ["place: Where to cut."]],
  ["an error of Raises", "saw/cut.py", google, ["raise TooShort", "raise TooSmall"], ["TooSmall: If it is."]],
  ["a parameter of NumPy's list", "saw/cut.py", numpy, ["saw)", "blade)"], ["length, blade : int"]],
  ["a parameter that is gone has no edit", "saw/cut.py", numpy, [", saw)", ")"], ["length, saw : int"]],
  ["a field of a dataclass", "saw/saw.py", dataclass, ["teeth: int", "points: int"], ["points: How many."]],
  [
    "JSDoc with a type and a default",
    "saw/cut.js",
    jsdoc,
    ["length = 10", "length = 20"],
    ["* @param {number} [length=20] where"],
  ],
  [
    "the root of a dotted name",
    "saw/cut.js",
    jsdoc,
    ["length = 10, options", "length = 10, settings"],
    ["* @param {object} settings", "* @param {string} settings.unit"],
  ],
  [
    "Javadoc",
    "src/main/java/Saw.java",
    java,
    ["cut(int length)", "cut(int place)"],
    ["* @param place where"],
  ],
  ["rustdoc", "src/lib.rs", rust, ["cut(length", "cut(place"], ["/// * `place` - where"]],
  [
    "Doxygen with a direction",
    "include/saw.h",
    doxygen,
    ["int length", "int place"],
    ["* @param[in] place where"],
  ],
  [
    "an exception of C#",
    "src/Saw.cs",
    csharp,
    ["new TooShort", "new TooSmall"],
    ['/// <exception cref="TooSmall">if it is</exception>'],
  ],
  [
    "another type in the same place is no rename",
    "src/main/java/Saw.java",
    java,
    ["cut(int length)", "cut(Place at)"],
    ["* @param length where"],
  ],
  ["parameters that change places", "saw/cut.py", numpy, ["length, saw)", "saw, length)"], []],
  ["a parameter that moves into keywords", "saw/cut.py", numpy, [", saw)", ", **more)"], []],
  ["a parameter that a pattern takes apart", "saw/cut.js", jsdoc, ["10, options", "10, { unit }"], []],
  [
    "an overload without a comment",
    "saw/cut.ts",
    overloads,
    ["unit?: string): void {}", "measure?: string): void {}"],
    [],
  ],
  ["a method of the same name", "src/main/java/Saw.java", java, ["String place", "String where"], []],
  [
    "a private function",
    "saw/cut.py",
    google.replace("def cut", "def _cut"),
    ["length, unit", "place, unit"],
    [],
  ],
  [
    "a comment that was false before",
    "saw/cut.py",
    google.replace("length: Where", "size: Where"),
    ["length, unit", "place, unit"],
    [],
  ],
  [
    "an error that is a kind of the old one",
    "saw/cut.py",
    `class TooSmall(TooShort):\n    pass\n\n\n${google}`,
    ["raise TooShort", "raise TooSmall"],
    [],
  ],
  [
    "a type that is nothing by default",
    "src/Saw.php",
    "<?php\nclass Saw\n{\n    /**\n     * @param string|null $blade\n     */\n    public function cut(?string $blade = null) {}\n}\n",
    ["?string", "string"],
    [],
  ],
  [
    "another error of the standard library",
    "saw/cut.py",
    google.replaceAll("TooShort", "LookupError"),
    ["raise LookupError", "raise ValueError"],
    ["ValueError: If it is."],
  ],
  [
    "a kind of the error of the standard library",
    "saw/cut.py",
    google.replaceAll("TooShort", "LookupError"),
    ["raise LookupError", "raise KeyError"],
    [],
  ],
  [
    "the default of a field that a function takes apart",
    "src/saw.ts",
    "export interface Opts {\n  /**\n   * How deep.\n   * @default 12\n   */\n  depth?: number;\n}\n\nexport function cut({ depth = 12 }: Opts = {}) {}\n",
    ["depth = 12", "depth = 16"],
    ["* @default 16"],
  ],
  [
    "the result of a method that returns nothing now",
    "src/Saw.java",
    "public class Saw {\n    /**\n     * Cuts.\n     *\n     * @return the boards that are left\n     */\n    public int cut(int depth) { return depth; }\n}\n",
    ["public int cut(int depth) { return depth; }", "public void cut(int depth) { }"],
    ["* @return the boards that are left"],
  ],
  [
    "the result of a method that returns something else now",
    "include/saw.h",
    "/**\n * \\brief Cuts.\n * \\return 0 on success\n */\nint cut(int depth);\n",
    ["int cut", "long cut"],
    [],
  ],
  [
    "a property of a constructor in Kotlin",
    "src/Saw.kt",
    "/**\n * A saw.\n *\n * @property teeth how many\n */\ndata class Saw(val blade: String, val teeth: Int)\n",
    ["val teeth", "val points"],
    ["* @property points how many"],
  ],
  [
    "a parameter that the summary of C# refers to",
    "src/Saw.cs",
    'public class Saw\n{\n    /// <summary>Cuts to <paramref name="depth"/>.</summary>\n    public void Cut(int depth) { }\n}\n',
    ["int depth", "int millimetres"],
    ['/// <summary>Cuts to <paramref name="millimetres"/>.</summary>'],
  ],
  ["an alias of a built-in type", "saw/cut.py", aliased, ["board: Type", "board: type"], []],
  [
    "a function that became abstract",
    "saw/cut.py",
    google,
    ["raise TooShort(length)", "raise NotImplementedError"],
    [],
  ],
];

test.each(rows)("%s", async (_, path, before, [old, now], expected) => {
  expect(before).toContain(old);
  expect(await stale(path, before, before.replace(old, now))).toEqual(expected);
});

test("comments in tests are no documents", async () => {
  const after = google.replace("length, unit", "place, unit");
  expect(await stale("tests/cut.py", google, after)).toEqual([]);
});
