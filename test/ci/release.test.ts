import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { cutVersion, notesOf } from "../../scripts/changelog.ts";
import { ownerIn, publishedFiles, versionsIn, withOwner, withVersion } from "../../scripts/published.ts";
import { house } from "./project.ts";

const changelog = `# Changelog

Head.

## Unreleased

### Added

- new

## 0.1.0 (2026-01-02)

- first
`;

describe("the changelog", () => {
  test("moves everything unreleased under the version, and keeps the rest", () => {
    expect(cutVersion(changelog, "0.2.0", "2026-03-04")).toBe(
      changelog.replace("## Unreleased\n", "## Unreleased\n\n## 0.2.0 (2026-03-04)\n"),
    );
  });

  test("works for the first version, which has no earlier section", () => {
    const cut = cutVersion("# Changelog\n\n## Unreleased\n\n- a\n", "0.1.0", "2026-03-04");
    expect(cut).toBe("# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-03-04)\n\n- a\n");
  });

  test("is not cut twice, and not without a change", () => {
    expect(() => cutVersion(changelog, "0.1.0", "2026-03-04")).toThrow("already has a section 0.1.0");
    const cut = cutVersion(changelog, "0.2.0", "2026-03-04");
    expect(() => cutVersion(cut, "0.3.0", "2026-03-05")).toThrow("nothing to release");
  });

  test("gives the notes of one version and of no other", () => {
    expect(notesOf(changelog, "0.1.0")).toBe("- first");
    expect(notesOf(cutVersion(changelog, "0.2.0", "2026-03-04"), "0.2.0")).toBe("### Added\n\n- new");
    expect(() => notesOf(changelog, "0.1")).toThrow("says nothing about 0.1");
  });

  test("of this repository has the section that is cut", () => {
    const text = readFileSync(join(house, "CHANGELOG.md"), "utf8");
    expect(text.match(/^## Unreleased$/gm)).toHaveLength(1);
  });
});

describe("files that name the version or the owner", () => {
  const texts = publishedFiles.map((path) => [path, readFileSync(join(house, path), "utf8")] as const);

  test.each(texts)("%s agrees with package.json, and is set to another version", (path, text) => {
    const versions = versionsIn(path, text);
    expect(versions.filter((one) => one !== manifest.version)).toEqual([]);
    const next = withVersion(path, text, manifest.version, "7.8.9");
    expect(versionsIn(path, next)).toEqual(versions.map(() => "7.8.9"));
    expect(next.split("\n").filter((line, i) => line !== text.split("\n")[i])).toHaveLength(versions.length);
  });

  test("name one owner, in the form of the repository, its short form and the MCP registry", () => {
    const owner = ownerIn(readFileSync(join(house, "package.json"), "utf8"));
    expect(manifest.mcpName).toBe(`io.github.${owner}/suture`);
    expect(manifest.homepage).toBe(`https://github.com/${owner}/suture#readme`);
    expect(manifest.bugs.url).toBe(`https://github.com/${owner}/suture/issues`);
    const mentions = texts.flatMap(([, text]) => [
      ...text.matchAll(/(?:github\.com\/|io\.github\.|uses: )([\w-]+)\/suture\b/g),
    ]);
    expect(new Set(mentions.map((match) => match[1]))).toEqual(new Set([owner]));
  });

  test("take another owner", () => {
    const text =
      "https://github.com/OWNER/suture io.github.OWNER/suture\n- uses: OWNER/suture@COMMIT\nHOST:OWNER\n";
    expect(withOwner(text, "OWNER", "acme")).toBe(
      "https://github.com/acme/suture io.github.acme/suture\n- uses: acme/suture@COMMIT\nHOST:OWNER\n",
    );
  });

  test("no page names the owner outside the files that the command sets", () => {
    const pages = globSync(["*.md", "docs/**/*.{md,yml}", ".github/**/*.{md,yml}"], { cwd: house });
    const others = pages.filter((path) => !publishedFiles.includes(path) && path !== "docs/publishing.md");
    const naming = others.filter((path) => /OWNER\/suture/.test(readFileSync(join(house, path), "utf8")));
    expect(naming).toEqual([]);
  });
});

describe("the command", () => {
  const release = (
    ...words: readonly string[]
  ): { readonly status: number | null; readonly stderr: string } => {
    const script = join(house, "scripts/release.ts");
    const { status, stderr } = spawnSync(process.execPath, [script, ...words], {
      cwd: house,
      encoding: "utf8",
    });
    return { status, stderr };
  };

  test.each([["--notes"], ["--unknown"], []])(
    "says how it is used where its words make no sense: %s",
    (...words) => {
      const { status, stderr } = release(...words);
      expect(status).toBe(1);
      expect(stderr).toContain("usage: npm run release -- VERSION");
      expect(stderr).not.toMatch(/^ +at /m);
    },
  );

  test("names everything that a tag lacks, not only the first", () => {
    const { status, stderr } = release("--ready", "v98.7.6");
    expect(status).toBe(1);
    expect(stderr).toContain(`package.json says ${manifest.version} and the tag 98.7.6`);
    expect(stderr).toContain("CHANGELOG.md says nothing about 98.7.6");
  });
});
