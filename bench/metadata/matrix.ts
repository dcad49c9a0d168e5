import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Edit } from "../../src/text/model/edit.ts";
import { commitEdits, create, move, quote, remove, value } from "../../src/workspace/testing.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { readValues, unpack } from "./archive.ts";

/** What becomes of a file's owner, mode and attributes. */
export type MatrixRow = {
  readonly what: string;
  readonly edit: string;
  readonly undo: string;
  readonly remove: string;
};

const limitedList = "user::rw-\nuser:12345:rw-\ngroup::---\nmask::rw-\nother::---\n";
/** The capability to bind low ports, as the kernel stores it. */
const capability = Buffer.from("0100000200040000000000000000000000000000", "hex");
const other = 65_534;

type Case = {
  readonly what: string;
  readonly prepare: (root: string) => void;
  /** The file that is edited, or created where there is none. */
  readonly path: string;
  /** The user who edits. */
  readonly user?: number;
};

const file = (folder: string, name: string, content = "one\n") => ({ folder, name, content, mode: 0o660 });
const folder = (root: string, name: string, mode: number) => ({ folder: root, name, content: null, mode });

const cases: readonly Case[] = [
  {
    what: "an access control list that shuts the owning group out",
    prepare: (root) => unpack(file(root, "a.md"), { "acl.access": limitedList }),
    path: "a.md",
  },
  {
    what: "an extended attribute",
    prepare: (root) => unpack(file(root, "a.md"), { "xattr.user.note": "kept" }),
    path: "a.md",
  },
  {
    what: "a file capability",
    prepare: (root) => unpack(file(root, "a.md"), { "xattr.security.capability": capability }),
    path: "a.md",
  },
  {
    what: "a set-user bit",
    prepare: (root) => {
      fs.writeFileSync(join(root, "a.md"), "one\n");
      fs.chmodSync(join(root, "a.md"), 0o4755);
    },
    path: "a.md",
  },
  {
    what: "a plain file below a folder whose default list came later",
    prepare: (root) => {
      fs.writeFileSync(join(root, "a.md"), "one\n", { mode: 0o640 });
      unpack(folder(root, ".", 0o755), { "acl.default": limitedList });
    },
    path: "a.md",
  },
  {
    what: "a new file in a folder with a default list that shuts others out",
    prepare: (root) => unpack(folder(root, "in", 0o755), { "acl.default": limitedList }),
    path: "in/a.md",
  },
  {
    what: "a new file in a setgid folder of another user and group",
    prepare: (root) => {
      fs.mkdirSync(join(root, "in"));
      fs.chownSync(join(root, "in"), other, other);
      fs.chmodSync(join(root, "in"), 0o2775);
    },
    path: "in/a.md",
  },
  {
    what: "another user's file that the group may write",
    prepare: (root) => {
      fs.writeFileSync(join(root, "a.md"), "one\n");
      fs.chownSync(join(root, "a.md"), 12_345, other);
      fs.chmodSync(join(root, "a.md"), 0o664);
      fs.chownSync(root, other, other);
    },
    path: "a.md",
    user: other,
  },
];

/** Why the matrix cannot be measured here; `null` if it can. */
export function whyNotHere(): string | null {
  if (process.getuid?.() !== 0) return "only root can set all of these attributes";
  const root = fs.mkdtempSync(join(tmpdir(), "suture-metadata-"));
  try {
    unpack(file(root, "a.md"), { "acl.access": limitedList, "xattr.user.note": "x" });
    const found = readValues(root, "a.md");
    return found["acl.access"] && found["xattr.user.note"] ? null : `${tmpdir()} keeps no such attributes`;
  } catch (error) {
    return String((error as Error).message);
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

/** Edits, undoes, deletes and moves a file of every kind, on the disk. */
export function measureMatrix(): MatrixRow[] {
  return cases.map((one) => ({
    what: one.what,
    edit: tell(one, ["edit"]),
    undo: tell(one, ["edit", "undo"]),
    remove: [...new Set([tell(one, ["edit", "delete"]), tell(one, ["edit", "move"])])].join("; "),
  }));
}

/** Makes the steps in a process of their own, as the user of the case, and says what became of the file. */
function tell({ prepare, path, user }: Case, steps: readonly string[]): string {
  const root = fs.mkdtempSync(join(tmpdir(), "suture-metadata-"));
  fs.chmodSync(root, 0o755);
  try {
    prepare(root);
    const before = fs.existsSync(join(root, path)) ? stateOf(root, path) : null;
    const done = spawnSync(process.execPath, [fileURLToPath(import.meta.url), root, path, ...steps], {
      encoding: "utf8",
      env: { ...process.env, SUTURE_CACHE: "off" },
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    if (done.status !== 0) throw new Error(done.stderr);
    const answer = done.stdout.trim();
    if (answer !== "done") return answer;
    if (!fs.existsSync(join(root, path))) return "removed";
    const after = stateOf(root, path);
    if (before !== null)
      return after.all === before.all
        ? `kept${after.inode === before.inode ? ", written in place" : ""}`
        : `CHANGED: ${before.all} → ${after.all}`;
    return after.all;
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

function stateOf(root: string, path: string): { readonly all: string; readonly inode: number } {
  const { uid, gid, mode, ino } = fs.statSync(join(root, path));
  const values = readValues(root, path);
  const list = values["acl.access"]?.replaceAll(/\s+/g, ",");
  const others = Object.keys(values).filter((key) => !/^acl\.|posix_acl/.test(key));
  const owner = `${uid === 0 ? "root" : uid}:${gid === 0 ? "root" : gid}`;
  const parts = [
    `mode ${(mode & 0o7777).toString(8)}`,
    owner,
    ...(list ? ["the folder's list"] : []),
    ...others,
  ];
  return { all: parts.join(", "), inode: ino };
}

/** One process: `node matrix.ts ROOT PATH STEP…`. */
async function act([root = "", path = "", ...steps]: readonly string[]): Promise<string> {
  const workspace = value(await openWorkspace(root));
  try {
    for (const step of steps) {
      const exists = value(await workspace.read(path)).text !== null;
      const edits: Record<string, Edit> = {
        edit: exists ? quote(path, "one", "two") : create(path, "one\n"),
        delete: remove(path),
        move: move(path, `${path}.moved`),
      };
      const done =
        step === "undo"
          ? await workspace.undo({ last: true }, { author: "me" })
          : await commitEdits(workspace, [edits[step]!]);
      if (!done.ok)
        return done.refusal.code === "not-allowed"
          ? `refused (${done.refusal.barrier ?? done.refusal.detail})`
          : `refused (${done.refusal.code})`;
    }
    return "done";
  } finally {
    await workspace.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await act(process.argv.slice(2)));
