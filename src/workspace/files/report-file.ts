import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { randomHex } from "../hash/random-hex.ts";
import { codeOf } from "./files.ts";

export type ReportOptions = {
  /** Matches an earlier report of this kind. A file that does not match is never overwritten. */
  readonly own: RegExp;
  /** Links below this folder are not followed, because its content is untrusted. */
  readonly root: string;
  /** Create the parent folder. Only programs ask for this, because a person may have misspelt the path. */
  readonly folder?: "make";
};

/** Writes a report to a path that a person chose, all or nothing. */
export function writeReportFile(path: string, text: string, options: ReportOptions): Outcome<true> {
  const { own, root, folder } = options;
  const fs = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  const link = refuseLinks(path, root);
  if (!link.ok) return link;
  const draft = `${path}.${randomHex(6)}.draft`;
  try {
    if (!mayReplace(path, own))
      return refuse({
        code: "not-allowed",
        detail: `the file ${path} exists and is not an earlier report; name another file`,
      });
    if (folder === "make") fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(draft, text, { flag: "wx", mode: 0o644 });
    fs.renameSync(draft, path);
    return accept(true);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    return refuse({ code: "unavailable", detail: `the file ${path} cannot be written: ${codeOf(error)}` });
  }
}

function mayReplace(path: string, own: RegExp): boolean {
  const fs = process.getBuiltinModule("node:fs");
  const existing = fs.lstatSync(path, { throwIfNoEntry: false });
  if (!existing) return true;
  return existing.isFile() && (existing.size === 0 || own.test(fs.readFileSync(path, "utf8")));
}

/** Refuses a path that leads over a link below a folder whose content is untrusted. */
export function refuseLinks(path: string, root: string): Outcome<true> {
  const { relative, resolve, isAbsolute, sep, join } = process.getBuiltinModule("node:path");
  const { lstatSync } = process.getBuiltinModule("node:fs");
  const inside = relative(resolve(root), resolve(path));
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return accept(true);
  const names = inside.split(sep);
  const steps = names.map((_, depth) => join(resolve(root), ...names.slice(0, depth + 1)));
  const link = steps.find((step) => lstatSync(step, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link === undefined) return accept(true);
  return refuse({ code: "not-allowed", detail: `the link ${link} is not followed` });
}
