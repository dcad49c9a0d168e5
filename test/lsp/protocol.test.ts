import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DiagnosticSeverity } from "vscode-languageserver/node";
import { createRepository, type Repository } from "../drift/repository.ts";
import { pulling, ScriptedClient, startServer } from "./client.ts";

const code = "export function fetchUser(id: string, limit = 30) {\n  return id;\n}\n";
const page = "# Guide\n\nCall `fetchUser` with an id.\n\nIt is `fetchUser` again.\n";
const all = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };

let repository: Repository;
let client: ScriptedClient;

beforeEach(() => {
  repository = createRepository();
  repository.commit({
    "src/client.ts": code,
    "docs/guide.md": page,
    "docs/other.md": "# Other\n\nUse `fetchUser`.\n",
    "package.json": '{"name":"d"}\n',
  });
  client = new ScriptedClient(repository.folder);
});

afterEach(async () => {
  await client.close();
  repository.remove();
});

async function renameInEditor(): Promise<void> {
  await client.open("src/client.ts", code);
  await client.open("docs/guide.md", page);
  await client.replace("src/client.ts", "fetchUser", "loadUser");
}

describe("diagnostics that the client asks for", () => {
  beforeEach(() => client.start(pulling, { base: "HEAD" }));

  test("a passage is marked while the code is still unsaved, with rule, tier and proof", async () => {
    await renameInEditor();
    const found = await client.pull("docs/guide.md");
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({
      source: "suture",
      code: "exists",
      severity: DiagnosticSeverity.Error,
      message: "`fetchUser` is now `loadUser` (src/client.ts:1).",
      range: { start: { line: 2, character: 6 }, end: { line: 2, character: 15 } },
    });
    expect(found[0]!.codeDescription?.href).toMatch(/^file:.*\/docs\/rules\.md#exists$/);
    expect(found[0]!.relatedInformation).toMatchObject([
      { location: { uri: client.uri("src/client.ts"), range: { start: { line: 0, character: 0 } } } },
    ]);
  });

  test("the line of code says how many passages name it", async () => {
    await renameInEditor();
    const [found] = await client.pull("src/client.ts");
    expect(found).toMatchObject({
      severity: DiagnosticSeverity.Information,
      message: "3 passages of the documents name what this line changed.",
      range: { start: { line: 0 } },
    });
    expect(found!.relatedInformation).toHaveLength(3);
  });

  test("pages that are not open are in the answer for the workspace", async () => {
    await renameInEditor();
    const uris = (await client.pullAll()).map(({ uri }) => uri);
    expect(uris).toEqual(["docs/guide.md", "docs/other.md", "src/client.ts"].map((path) => client.uri(path)));
  });

  test("a page that is fixed as it is typed is clean before it is saved", async () => {
    await renameInEditor();
    await client.write("docs/guide.md", page.replaceAll("fetchUser", "loadUser"));
    expect(await client.pull("docs/guide.md")).toEqual([]);
    await client.replace("src/client.ts", "loadUser", "fetchUser");
    expect(await client.pull("docs/other.md")).toEqual([]);
  });

  test("closing without saving brings back the files on disk", async () => {
    await renameInEditor();
    expect(await client.pull("docs/other.md")).toHaveLength(1);
    await client.closeDocument("src/client.ts");
    expect(await client.pull("docs/other.md")).toEqual([]);
  });

  test("a change on disk counts once the client tells of it", async () => {
    await client.open("docs/guide.md", page);
    expect(await client.pull("docs/guide.md")).toEqual([]);
    repository.write({ "src/client.ts": code.replace("fetchUser", "loadUser") });
    await client.changedOnDisk("src/client.ts");
    expect(await client.pull("docs/guide.md")).toHaveLength(2);
  });

  test("a file that exists only in the editor counts, unless git would ignore it", async () => {
    await client.open("docs/new.md", "# New\n\nCall `fetchUser`.\n");
    await renameInEditor();
    expect(await client.pull("docs/new.md")).toHaveLength(1);
    repository.write({ ".gitignore": "drafts/\n" });
    await client.open("drafts/new.md", "# New\n\nCall `fetchUser`.\n");
    expect(await client.pull("drafts/new.md")).toEqual([]);
  });

  test("a request that is cancelled is answered as cancelled", async () => {
    const { CancellationTokenSource, LSPErrorCodes } = await import("vscode-languageserver/node");
    await renameInEditor();
    const source = new CancellationTokenSource();
    const asked = client.connection.sendRequest(
      "textDocument/diagnostic",
      { textDocument: { uri: client.uri("docs/guide.md") } },
      source.token,
    );
    source.cancel();
    await expect(asked).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled });
    expect(await client.pull("docs/guide.md")).toHaveLength(2);
  });

  test("a burst of edits ends in the diagnostics of the last one", async () => {
    await renameInEditor();
    for (const name of ["l", "lo", "loa", "getUser"])
      await client.write("src/client.ts", code.replace("fetchUser", name));
    const [found] = await client.pull("docs/guide.md");
    expect(found!.message).toBe("`fetchUser` is now `getUser` (src/client.ts:1).");
  });
});

describe("quick fixes", () => {
  beforeEach(() => client.start(pulling, { base: "HEAD" }));

  test("a quick fix changes the name and nothing else, for the version that it was made for", async () => {
    await renameInEditor();
    const line = { start: { line: 2, character: 8 }, end: { line: 2, character: 8 } };
    const [fix, everywhere, dismiss, ...more] = await client.actions("docs/guide.md", line, ["quickfix"]);
    expect(more).toEqual([]);
    expect(fix).toMatchObject({
      title: "Fix: `fetchUser` is now `loadUser`",
      isPreferred: true,
      diagnostics: [{ code: "exists" }],
      edit: { documentChanges: [{ textDocument: { uri: client.uri("docs/guide.md"), version: 1 } }] },
    });
    expect(everywhere!.title).toBe("Fix all 3 passages with this cause in 2 pages");
    expect(dismiss!.command?.command).toBe("suture.dismiss");
    expect(client.apply(fix!.edit!)).toBe(true);
    expect(client.texts.get("docs/guide.md")!.text).toBe(page.replace("fetchUser", "loadUser"));
    expect(await client.pull("docs/guide.md")).toHaveLength(1);
  });

  test("fix all in a page is what `suture fix` writes", async () => {
    await renameInEditor();
    const [fix] = await client.actions("docs/guide.md", all, ["source.fixAll"]);
    expect(fix!.kind).toBe("source.fixAll.suture");
    client.apply(fix!.edit!);
    repository.write({ "src/client.ts": client.texts.get("src/client.ts")!.text });
    expect(repository.suture("fix", "--base", "HEAD", "--no-model").code).toBe(0);
    expect(client.texts.get("docs/guide.md")!.text).toBe(repository.read("docs/guide.md"));
  });

  test("the workspace is fixed by one edit that the client applies", async () => {
    await renameInEditor();
    await client.open("docs/other.md", repository.read("docs/other.md"));
    expect(await client.command("suture.fixWorkspace")).toBe(true);
    expect(client.applied).toHaveLength(1);
    expect(await client.pullAll()).toEqual([]);
  });

  test("an edit for an older version is refused by the client, and the page stays as it was typed", async () => {
    await renameInEditor();
    const [fix] = await client.actions("docs/guide.md", all, ["source.fixAll"]);
    await client.replace("docs/guide.md", "# Guide", "# The guide");
    expect(client.apply(fix!.edit!)).toBe(false);
    const [again] = await client.actions("docs/guide.md", all, ["source.fixAll"]);
    expect(client.apply(again!.edit!)).toBe(true);
    expect(client.texts.get("docs/guide.md")!.text).toBe(
      page.replace("# Guide", "# The guide").replaceAll("fetchUser", "loadUser"),
    );
  });

  test("a page with a byte order mark and CRLF keeps both, though the editor shows neither", async () => {
    const marked = `\uFEFF${page.replaceAll("\n", "\r\n")}`;
    repository.commit({ "docs/guide.md": marked });
    await client.open("src/client.ts", code);
    await client.open("docs/guide.md", page);
    await client.replace("src/client.ts", "fetchUser", "loadUser");
    const found = await client.pull("docs/guide.md");
    expect(found.map(({ range }) => range.start)).toEqual([
      { line: 2, character: 6 },
      { line: 4, character: 7 },
    ]);
    const [fix] = await client.actions("docs/guide.md", all, ["source.fixAll"]);
    client.apply(fix!.edit!);
    expect(client.texts.get("docs/guide.md")!.text).toBe(page.replaceAll("fetchUser", "loadUser"));
  });
});

describe("hover, dismissal, base and undo", () => {
  beforeEach(() => client.start(pulling, { base: "HEAD" }));

  const hover = (path: string, line: number) =>
    client.connection.sendRequest<{ contents: { value: string } } | null>("textDocument/hover", {
      textDocument: { uri: client.uri(path) },
      position: { line, character: 8 },
    });

  test("a hover gives the reason, the proof and the edit", async () => {
    await renameInEditor();
    const shown = (await hover("docs/guide.md", 2))!.contents.value;
    expect(shown).toContain("`fetchUser` is now `loadUser` (src/client.ts:1).");
    expect(shown).toContain("+export function loadUser(id: string, limit = 30) {");
    expect(shown).toContain("+Call `loadUser` with an id.");
    expect(await hover("docs/guide.md", 0)).toBeNull();
    expect((await hover("src/client.ts", 0))!.contents.value).toContain("docs/other.md:3");
  });

  test("a hover tells what the words below it are about, in the texts as typed", async () => {
    await client.open("docs/guide.md", page);
    const shown = (await hover("docs/guide.md", 2))!.contents.value;
    expect(shown).toContain("✓ exists `fetchUser`: true");
    expect(shown).toContain("`src/client.ts:1`");
    expect(shown).toContain("export function fetchUser(id: string, limit = 30) {");
    await client.replace("docs/guide.md", "Call `fetchUser` with an id.", "Once you have no name for it.");
    expect(await hover("docs/guide.md", 2)).toBeNull();
  });

  test("a client can mark the claims of a page by their truth", async () => {
    await client.open("docs/guide.md", page);
    const textDocument = { uri: client.uri("docs/guide.md") };
    const claims = await client.connection.sendRequest<object[]>("suture/claims", { textDocument });
    expect(claims).toEqual(
      [2, 4].map((line) => {
        const character = page.split("\n")[line]!.indexOf("fetchUser");
        const end = { line, character: character + 9 };
        return { range: { start: { line, character }, end }, truth: "true" };
      }),
    );
  });

  test("a dismissal is written to the configuration with its reason, and undo takes it back", async () => {
    await renameInEditor();
    const [found] = await client.pull("docs/other.md");
    const where = { uri: client.uri("docs/other.md"), id: found!.data.id as string };
    await client.command("suture.dismiss", { ...where, reason: "an example" });
    expect(JSON.parse(repository.read("suture.config.json"))).toEqual({
      dismissed: [{ id: where.id, reason: "an example" }],
    });
    expect(await client.pull("docs/other.md")).toEqual([]);
    await client.command("suture.undo", where);
    expect(await client.pull("docs/other.md")).toHaveLength(1);
  });

  test("a dismissal without a reason asks for one, and no answer dismisses nothing", async () => {
    await renameInEditor();
    const [found] = await client.pull("docs/other.md");
    const where = { uri: client.uri("docs/other.md"), id: found!.data.id as string };
    expect(await client.command("suture.dismiss", where)).toBeNull();
    client.answer = "It is an example";
    await client.command("suture.dismiss", where);
    expect(repository.read("suture.config.json")).toContain("It is an example");
  });

  test("the base can be changed", async () => {
    repository.commit({ "src/client.ts": code.replace("fetchUser", "loadUser") });
    await client.open("docs/guide.md", page);
    expect(await client.pull("docs/guide.md")).toEqual([]);
    await client.command("suture.setBase", { base: "HEAD~1" });
    expect(await client.pull("docs/guide.md")).toHaveLength(2);
  });

  test("the findings come by cause for a client that lists them", async () => {
    await renameInEditor();
    const [report] = await client.connection.sendRequest<{ causes: { title: string }[] }[]>("suture/report");
    expect(report!.causes).toMatchObject([{ findings: [{}, {}, {}] }]);
  });
});

describe("diagnostics that the server sends", () => {
  test("come with the version they are for, and go when the code is put back", async () => {
    await client.start({}, { base: "HEAD" });
    expect(client.initialized.capabilities.diagnosticProvider).toBeUndefined();
    await renameInEditor();
    const marked = await client.until(
      () =>
        client.published.get(client.uri("docs/guide.md"))?.diagnostics.length === 2 &&
        client.published.get(client.uri("docs/guide.md")),
    );
    expect(marked.version).toBe(1);
    await client.until(() => client.published.get(client.uri("docs/other.md"))?.diagnostics.length === 1);
    await client.replace("src/client.ts", "loadUser", "fetchUser");
    await client.until(() => client.published.get(client.uri("docs/other.md"))?.diagnostics.length === 0);
    expect(client.status.at(-1)).toMatchObject({ findings: 0 });
  });
});

describe("positions", () => {
  const wide = "# Guide 🙂\n\n🙂é Call `fetchUser` with an id. 🙂 `fetchUser`\n";

  test.each([
    ["utf-16", ["utf-16"], 10],
    ["utf-8", ["utf-8", "utf-16"], 13],
    ["utf-32", ["utf-32"], 9],
  ])("are counted in %s where the client prefers it", async (encoding, offered, character) => {
    await client.start({ ...pulling, general: { positionEncodings: offered } }, { base: "HEAD" });
    expect(client.initialized.capabilities.positionEncoding).toBe(encoding);
    await client.open("docs/guide.md", "");
    await client.open("src/client.ts", code);
    await client.write("docs/guide.md", wide.replace("Call", "🙂 Ca🙂ll"));
    await client.replace("docs/guide.md", "🙂 Ca🙂ll", "Call");
    await client.replace("src/client.ts", "fetchUser", "loadUser");
    const [found] = await client.pull("docs/guide.md");
    expect(found!.range.start).toEqual({ line: 2, character });
    const [fix] = await client.actions("docs/guide.md", all, ["source.fixAll"]);
    client.apply(fix!.edit!);
    expect(client.texts.get("docs/guide.md")!.text).toBe(wide.replaceAll("fetchUser", "loadUser"));
  });
});

test("the command speaks the protocol on standard input and output, and ends with 0", async () => {
  await client.start(pulling);
  const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
  const started = new ScriptedClient(
    repository.folder,
    startServer([process.execPath, main, "lsp", "--stdio"]),
  );
  await started.start(pulling, { base: "HEAD" });
  await started.open("src/client.ts", code);
  await started.replace("src/client.ts", "fetchUser", "loadUser");
  expect(await started.pull("docs/guide.md")).toHaveLength(2);
  expect(await started.close()).toBe(0);
});

describe("places without findings", () => {
  test("in a folder without a repository, a message says so and there are no diagnostics", async () => {
    const lonely = new ScriptedClient("/");
    try {
      await lonely.start(pulling);
      await lonely.until(() => lonely.log.some((text) => text.includes("no git repository")));
      await lonely.open("nowhere.md", "# A\n");
      expect(await lonely.pull("nowhere.md")).toEqual([]);
    } finally {
      expect(await lonely.close()).toBe(0);
    }
  });

  test("documents outside the folder and those that are no files are left alone", async () => {
    await client.start(pulling, { base: "HEAD" });
    const { uri } = client;
    client.uri = () => "untitled:Untitled-1";
    await client.open("x.md", "# `fetchUser`\n");
    expect(await client.pull("x.md")).toEqual([]);
    client.uri = uri;
  });
});
