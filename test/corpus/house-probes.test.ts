import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callTool } from "../../src/docs/catalog.ts";
import { openContext } from "../../src/tools/context.ts";

/** The probes that need a disk: mode, link, parallel calls, an outside change that the caller has not read. */
type Probe = {
  readonly id: string;
  readonly files_before: Readonly<Record<string, string>>;
  readonly symlinks_before?: Readonly<Record<string, string>>;
  readonly modes_before?: Readonly<Record<string, string>>;
  readonly input: {
    readonly path: string;
    readonly old: string;
    readonly new: string;
    readonly edits?: readonly { old: string; new: string }[];
    readonly external_write_before_apply?: string;
  };
  readonly expect: {
    readonly ok: boolean;
    readonly error_kind?: string;
    readonly files_after?: Readonly<Record<string, string>>;
  };
};

const source = join(import.meta.dirname, "..", "..", "..", "shared", "corpus", "edit", "house-probes.jsonl");
const wanted = [
  "mode_0755_kept",
  "symlink_kept",
  "parallel_edits_both_land",
  "external_change_between_read_and_edit_detected",
];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "suture-probe-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(!existsSync(source))(
  `house probes on disk${existsSync(source) ? "" : ": the corpus is not here"}`,
  () => {
    const probes = existsSync(source)
      ? readFileSync(source, "utf8")
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Probe)
          .filter(({ id }) => wanted.includes(id.slice("house/".length)))
      : [];

    test("all four are there", () => {
      expect(probes.length).toBe(wanted.length);
    });

    test.each(probes.map((probe) => [probe.id, probe] as const))("%s", async (_, probe) => {
      for (const [path, text] of Object.entries(probe.files_before)) writeFileSync(join(root, path), text);
      for (const [path, target] of Object.entries(probe.symlinks_before ?? {}))
        symlinkSync(target, join(root, path));
      for (const [path, mode] of Object.entries(probe.modes_before ?? {}))
        chmodSync(join(root, path), Number(mode));
      const opened = await openContext({ root, links: "inside" });
      if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
      const context = opened.value;
      const { path, edits, external_write_before_apply: outside } = probe.input;
      const { version } = await callTool(context, "read_file", { path });
      if (outside !== undefined) writeFileSync(join(root, path), outside);
      const asked = edits ?? [{ old: probe.input.old, new: probe.input.new }];
      const results = await Promise.all(
        asked.map((edit) =>
          callTool(context, "edit_file", {
            path,
            old_content: edit.old,
            new_content: edit.new,
            ...(outside === undefined ? {} : { base_version: version }),
          }),
        ),
      );
      await context.reader.close();
      expect(results.map(({ success }) => success)).toEqual(asked.map(() => probe.expect.ok));
      if (probe.expect.error_kind) expect(results[0]?.code).toBe(probe.expect.error_kind);
      for (const [name, text] of Object.entries(probe.expect.files_after ?? {}))
        expect(readFileSync(join(root, name), "utf8")).toBe(text);
      for (const [name, mode] of Object.entries(probe.modes_before ?? {}))
        expect(lstatSync(join(root, name)).mode & 0o777).toBe(Number(mode));
      for (const [name, target] of Object.entries(probe.symlinks_before ?? {}))
        expect(readlinkSync(join(root, name))).toBe(target);
    });
  },
);
