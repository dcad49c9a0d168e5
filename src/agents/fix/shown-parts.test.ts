import { describe, expect, test } from "vitest";
import { showParts, splitParts } from "./shown-parts.ts";

const page = "# A\n\none\n\n## B\n\ntwo\n\n## C\n\nthree\n";
const regionOf = (words: string) => ({ start: page.indexOf(words), end: page.indexOf(words) + words.length });

test("one section is shown as it stands", () => {
  const { text, lines, marks } = showParts(page, [regionOf("## B\n\ntwo\n\n")]);
  expect([text, lines, marks]).toEqual(["## B\n\ntwo\n\n", [4, 5, 6, 7], []]);
});

describe("several sections", () => {
  const parts = ["# A\n\none\n\n", "## C\n\nthree\n"].map(regionOf);
  const { text, lines, marks } = showParts(page, parts);

  test("are parted by a line that says what is between them, and every line has its place on the page", () => {
    expect(text).toBe("# A\n\none\n\n(section 2, after 4 lines that are not shown)\n## C\n\nthree\n");
    expect(lines).toEqual([0, 1, 2, 3, -1, 8, 9, 10]);
  });

  test("are read apart again, and not where such a line is lost", () => {
    expect(splitParts(text.replace("three", "3"), marks)).toEqual(["# A\n\none\n", "## C\n\n3\n"]);
    expect(splitParts(text.replace("(section 2", "(part 2"), marks)).toBeNull();
  });

  test("that follow each other are parted too", () => {
    const next = ["# A\n\none\n\n", "## B\n\ntwo\n\n"].map(regionOf);
    expect(showParts(page, next).marks).toEqual(["(section 2)"]);
  });
});
