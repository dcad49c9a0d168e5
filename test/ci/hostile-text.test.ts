import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openProject, type Project } from "./project.ts";

// Names and texts that a contributor chooses, in every field that a comment, an annotation or a summary shows.
const names = {
  page: "docs/@everyone <b>fixes #1<!-- `x`.md",
  second: "docs/##[add-path]evil %0A::warning::x.md",
  source: "src/::set-output name=x::@all </details>.ts",
};
const variable = (name: string): string => `export const token = process.env.${name};\n`;
const page = (name: string): string =>
  `# @everyone\n\nThe variable \`${name}\` closes #1 </details> <img src=x> @all ::add-mask::x\n\n\`\`\`\`\n\`\`\`\nexport ${name}=1 # \`\`\` @everyone\n\`\`\`\`\n`;

let project: Project;
let result: Awaited<ReturnType<Project["ci"]>>;
beforeAll(async () => {
  project = await openProject({
    [names.page]: page("POSTBOX_TOKEN"),
    [names.second]: page("POSTBOX_TOKEN"),
    [names.source]: variable("POSTBOX_TOKEN"),
  });
  project.git("checkout", "-q", "-b", "topic");
  project.commit({
    [names.source]: variable("POSTBOX_API_TOKEN"),
    [names.page]: `${page("POSTBOX_TOKEN")}\nMore.\n`,
  });
  project.pull(7, "topic");
  result = await project.ci(["--mode", "suggest"], project.pullEvent(7));
});
afterAll(() => project.close());

/** The text outside of code, which hosts interpret. */
function interpretedText(markdown: string): string {
  return markdown
    .replace(/^(`{3,})[a-z]*\n[\s\S]*?\n\1$/gm, "")
    .replace(/<code>[^<]*<\/code>/g, "")
    .replace(/&#(60|62|95);/g, "")
    .replace(/^<!-- suture:(drift|seen [a-z0-9 -]*|suggestion [a-z0-9 -]*) -->$/gm, "")
    .replace(/<\/?(details|summary)>/g, "")
    .replaceAll(/`suture (fix|check)`/g, "")
    .replaceAll(/`suture dismiss ID(?: --reason TEXT)?`/g, "");
}

/** A link to the code or the page, whose name is code and whose address is percent-encoded. */
const OWN_LINK = /\[\]\(http:\/\/127\.0\.0\.1:\d+\/acme\/postbox\/blob\/[\w%./-]+#L\d+(?:-L\d+)?\)/g;

/** Marks of our own sentences. */
const OWN_WORDS = /<\/?sub>|`suture-ignore`/g;

describe("repository text in CI output", () => {
  test("the hostile repository has findings", () => {
    expect(result.code).toBe(1);
    expect(project.comments(7)).toHaveLength(1);
    expect(project.host.reviews.flatMap(({ comments }) => comments).length).toBeGreaterThan(0);
  });

  test("mentions no user, refers to no issue, opens and closes no block", () => {
    const suggestions = project.host.reviews.flatMap(({ comments }) => comments.map(({ body }) => body));
    for (const body of [project.comments(7)[0]!.body, result.summary, ...suggestions]) {
      const withoutLinks = interpretedText(body).replaceAll(OWN_LINK, "").replaceAll(OWN_WORDS, "");
      expect(withoutLinks).not.toMatch(/[@<`]|#\d|:\/\/|\[|everyone/);
      expect(body.match(/<details>/g)?.length ?? 0).toBe(body.match(/^<\/details>$/gm)?.length ?? 0);
    }
  });

  test("is no workflow command: each line of the log is an annotation of ours, or harmless", () => {
    for (const line of `${result.out}${result.err}`.split("\n")) {
      if (/^::(error|warning|notice) file=[^:,\r\n]+,line=\d+,endLine=\d+,title=suture [a-z]+::/.test(line))
        continue;
      expect(line).not.toMatch(/^\s*::/);
      expect(line).not.toContain("##[");
    }
  });

  test("a suggestion replaces its lines and nothing else", () => {
    const fence = "`".repeat(5);
    const bodies = project.host.reviews.flatMap(({ comments }) => comments.map(({ body }) => body));
    const fenced = bodies.find((body) => body.includes("export POSTBOX_API_TOKEN=1"));
    expect(fenced).toContain("````suggestion\nexport POSTBOX_API_TOKEN=1 # ``` @everyone\n````");
    expect(bodies.every((body) => !body.includes(fence))).toBe(true);
  });

  test("a commit and a request of ours hold none of it in their titles and messages", async () => {
    await project.ci(["--mode", "pull-request"], project.pullEvent(7));
    const [opened] = [...project.host.pulls.values()].filter(({ head }) => head.ref === "suture/topic");
    const message = project.host.git(["log", "-1", "--format=%B", "suture/topic"]);
    expect(`${opened!.title}${message}`).not.toMatch(/[@#<]|everyone/);
    expect(interpretedText(opened!.body)).not.toMatch(/[@<`]|#\d|everyone/);
  });
});
