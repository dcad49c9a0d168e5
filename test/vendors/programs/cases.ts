import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Approve, openSession, type Session, unwrap } from "suture";

/** A call that the scripted model makes. */
export type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export type Conversation = {
  readonly session: Session;
  /** The model's answers, one after the other. Each has one call. The last answer has none. */
  readonly turns: readonly Call[];
  readonly signal: AbortSignal;
};

/** An SDK with the tools of a session: runs a conversation, and returns the answers of the tools as the model reads them. */
export type Kit = {
  readonly name: string;
  /** The same calls in the form of the kit's own tool. */
  readonly calls: Calls;
  converse(conversation: Conversation): Promise<readonly string[]>;
};

/** The calls of each case. A kit without a call leaves it out. */
export type Calls = {
  readonly read?: Call;
  readonly edit: Call;
  readonly miss: Call;
  readonly patch?: Call;
  readonly create: Call;
  readonly undo?: Call;
};

export const ownCalls: Calls = {
  read: { name: "read_file", input: { path: "a.md" } },
  edit: { name: "edit_file", input: { path: "a.md", old_content: "old", new_content: "new" } },
  miss: { name: "edit_file", input: { path: "a.md", old_content: "none", new_content: "new" } },
  patch: {
    name: "apply_patch",
    input: {
      patch:
        "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-old a\n+new a\n--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-old b\n+new b\n",
    },
  },
  create: { name: "write_file", input: { path: "c.md", content: "created\n" } },
  undo: { name: "undo", input: {} },
};

type Opened = {
  readonly session: Session;
  text(path: string): string | null;
};

/** A case for which a kit has no call answers `left out`. */
type Case = (kit: Kit) => Promise<unknown>;

const cases: Readonly<Record<string, Case>> = {
  read: async (kit) => {
    const { read } = kit.calls;
    if (!read) return "left out";
    await inSession({}, async ({ session }) => {
      const heard = await talk(kit, session, [read]);
      expect(heard.length, 1);
      expect(heard[0]?.includes("old a"), true);
    });
  },
  edit: async (kit) => {
    await inSession({}, async ({ session, text }) => {
      await talk(kit, session, [kit.calls.edit]);
      expect(text("a.md"), "new a\n");
    });
  },
  "patch of several files": async (kit) => {
    const { patch } = kit.calls;
    if (!patch) return "left out";
    await inSession({}, async ({ session, text }) => {
      await talk(kit, session, [patch]);
      expect([text("a.md"), text("b.md")].join(""), "new a\nnew b\n");
      unwrap(await session.undo());
      expect([text("a.md"), text("b.md")].join(""), "old a\nold b\n");
    });
  },
  create: async (kit) => {
    await inSession({}, async ({ session, text }) => {
      await talk(kit, session, [kit.calls.create]);
      expect(text("c.md"), "created\n");
    });
  },
  undo: async (kit) => {
    const { undo, edit } = kit.calls;
    await inSession({}, async ({ session, text }) => {
      await talk(kit, session, undo ? [edit, undo] : [edit]);
      if (!undo) unwrap(await session.undo());
      expect(text("a.md"), "old a\n");
    });
  },
  refusal: async (kit) => {
    await inSession({}, async ({ session, text }) => {
      const heard = await talk(kit, session, [kit.calls.miss, kit.calls.edit]);
      expect(heard.length, 2);
      expect(/not found|no match|doesn't match/i.test(heard[0] ?? ""), true);
      expect(text("a.md"), "new a\n");
    });
  },
  approval: async (kit) => {
    const shown: string[] = [];
    const approve: Approve = async ({ diff }) => {
      shown.push(diff);
      return shown.length > 1 || "Ask again.";
    };
    await inSession({ approve }, async ({ session, text }) => {
      const heard = await talk(kit, session, [kit.calls.edit, kit.calls.edit]);
      expect(heard[0]?.includes("Ask again."), true);
      expect(shown.length, 2);
      expect(shown[1]?.includes("-old a\n+new a"), true);
      expect(text("a.md"), "new a\n");
    });
  },
  abort: async (kit) => {
    const controller = new AbortController();
    const approve: Approve = async () => {
      controller.abort();
      return true;
    };
    await inSession({ approve }, async ({ session, text }) => {
      const { signal } = controller;
      await kit.converse({ session, turns: [kit.calls.edit], signal }).catch(() => {});
      expect(text("a.md"), "old a\n");
      expect((await session.context.reader.history()).length, 0);
      await talk(kit, session, [kit.calls.edit]);
      expect(text("a.md"), "new a\n");
    });
  },
};

/** Runs every case with every kit, and prints a line of JSON for each. */
export async function runCases(kits: readonly Kit[]): Promise<void> {
  for (const kit of kits)
    for (const [name, run] of Object.entries(cases)) {
      const outcome = await run(kit).then(
        (done) => (done === "left out" ? "the tool has no such call" : "done"),
        (error: unknown) => ({ problem: error instanceof Error ? (error.stack ?? "") : String(error) }),
      );
      console.log(JSON.stringify({ kit: kit.name, case: name, outcome }));
    }
}

function talk(kit: Kit, session: Session, turns: readonly Call[]): Promise<readonly string[]> {
  return kit.converse({ session, turns, signal: new AbortController().signal });
}

async function inSession(
  { approve }: { readonly approve?: Approve },
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "suture-vendor-"));
  for (const name of ["a", "b"]) writeFileSync(join(root, `${name}.md`), `old ${name}\n`);
  const session = unwrap(await openSession({ root, author: "vendor", approve }));
  const text = (path: string): string | null => {
    try {
      return readFileSync(join(root, path), "utf8");
    } catch {
      return null;
    }
  };
  try {
    await work({ session, text });
  } finally {
    await session.close();
    rmSync(root, { recursive: true });
  }
}

function expect(found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

/** The addresses of the scripted models: one for most APIs, and one for OpenAI's Responses API. */
export const server = process.env.MODEL_URL ?? "";
export const responsesServer = process.env.RESPONSES_URL ?? "";

/** The prompt tells the scripted model what to answer. */
export function promptOf(turns: readonly Call[]): string {
  return JSON.stringify(turns.map((call) => ({ calls: [call] })));
}
