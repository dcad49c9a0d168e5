import { HOST_FOLDERS } from "../../../syntax/code-hosts.ts";
import { isInstalled } from "../../binding/foreign.ts";
import { commandAt } from "../../pages/command-lines.ts";
import { lineAt } from "../../pages/page.ts";
import { isForContributors } from "../../pages/policies.ts";
import { statementAt } from "../../pages/statements.ts";
import type { State } from "../../state/state.ts";
import { isMention } from "./locate.ts";
import type { LinkClaim } from "./read.ts";

const COMMON_FOLDER =
  /^(?:\.\/)?(?:src|lib|app|pages|components|public|tests?|config|assets|static|bin|content|templates?)\//i;
const COMMON_FILE = /^[^/]+\/(?:index|main|app|config|setup|server|client|styles?|utils?|types?)\.\w+$/i;
const HIDDEN_FOLDER = /(?:^|\/)\.[a-z][\w-]*\//i;
const HOST_FOLDER = new RegExp(`(?:^|/)(?:${HOST_FOLDERS})/`, "i");
const YOUR_PROJECT =
  /\byour (?:own )?(?:\w+ )?(?:project|repository|repo|app|application|workspace|folder|directory)\b/i;
const CREATES =
  /\b(?:create|make|add|write|generate|save)(?:s|d)?\b(?:\s+(?:an?|the|your|new|file|named|called|it|as|to|in))*\s*[`"']?$/i;

/**
 * Whether a path in code may be one of the reader's own project: the page tells the reader to make it, hands it to the
 * program that the project installs, or it is a usual path of any project on a page for users.
 */
export async function isReadersOwn(claim: LinkClaim, state: State): Promise<boolean> {
  if (!isMention(claim) || isForContributors(claim.page.path)) return false;
  const { written, page, at } = claim;
  const { lines } = page.read();
  const line = lineAt(page.read(), at.start);
  const { text, start } = lines[line]!;
  if (claim.form === "code" && SAMPLE_NAME.test(text)) return true;
  if (COMMON_FOLDER.test(written) && COMMON_FILE.test(written.replace(/^(?:\.\/)+/, ""))) return true;
  if (HIDDEN_FOLDER.test(written) && (claim.form === "code" || !HOST_FOLDER.test(written))) return true;
  if (claim.form === "code" && DATA.has((lines[line]!.language ?? "").toLowerCase())) return true;
  const statement = statementAt(page, at.start);
  const command = statement && commandAt(statement, at.start);
  if (command && (await isInstalled(command.program, state))) return true;
  const before = `${lines[line - 1]?.text ?? ""} ${text.slice(0, at.start - start)}`;
  const after = `${text.slice(at.end - start)} ${lines[line + 1]?.text ?? ""}`;
  return CREATES.test(before) || YOUR_PROJECT.test(before) || YOUR_PROJECT.test(after);
}

/** A sample of settings is the reader's, and so are the paths in it. */
const DATA: ReadonlySet<string> = new Set(["json", "jsonc", "json5", "yaml", "yml", "toml", "ini"]);

/** `// file: src/store.ts`, alone on its line: the file that the sample is for. */
const SAMPLE_NAME =
  /^\s*(?:\/\/|#|\/\*|<!--|--)\s*(?:(?:file|filename|path|title)\s*[:=]?\s*)?["'`]?[\w@./-]+["'`]?\s*(?:\*\/|-->)?\s*$/i;
