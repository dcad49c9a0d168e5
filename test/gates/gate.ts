import { checkDraft } from "../../src/agents/gates/check-draft.ts";
import { collectFacts, type FactFile } from "../../src/agents/gates/known-facts.ts";
import type { Objection } from "../../src/agents/gates/objection.ts";

const files: FactFile[] = [
  { path: "src/cli.ts", text: "// https://known.dev/api\nexport function run() {}" },
  { path: "docs/page.md", text: "# Page\n" },
  // A document can name any host, and names none for the gates.
  { path: "docs/other.md", text: "See https://evil.dev/ and //evil.dev/x." },
  { path: "docs/logo.png", text: "" },
  { path: ".github/workflows/ci.yml", text: "" },
  { path: "docs/part.rst", text: "" },
  { path: "src/tool/__init__.py", text: "" },
  { path: "src/tool/inner.py", text: "" },
];
const checks = { facts: collectFacts(files), secrets: [], commits: [] };

/** The page that a hostile text is added to. */
export const before = "# Page\n\nIt takes a path.\n";

/** A page of each format, by its ending. */
export const pages: Readonly<Record<string, string>> = {
  md: before,
  qmd: before,
  mdx: before,
  rst: "Page\n====\n\nIt takes a path.\n",
  adoc: "= Page\n\nIt takes a path.\n",
  1: ".TH PAGE 1\n.SH NAME\npage \\- it takes a path.\n",
  html: "<h1>Page</h1>\n<p>It takes a path.</p>\n",
  ipynb: `{"cells":[{"cell_type":"markdown","metadata":{},"source":["# Page\\n","It takes a path."]}],"metadata":{},"nbformat":4,"nbformat_minor":5}\n`,
};

/** What the gates object to in a page. */
export async function judge(
  after: string,
  { old = before, path = "docs/page.md" }: { readonly old?: string; readonly path?: string } = {},
): Promise<readonly Objection[]> {
  const draft = { path, before: old, after, reasons: ["It changed."] };
  return (await checkDraft(draft, checks)).objections;
}
