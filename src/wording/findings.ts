import type { Finding, Message } from "../drift/findings.ts";
import type { Evidence } from "../text/model/edit.ts";

/** One sentence for a finding: what the code did, and where. */
export function findingText(finding: Pick<Finding, "message" | "evidence">): string {
  const [where] = finding.evidence;
  return `${messageText(finding.message)}${where ? ` (${placeText(where)})` : ""}.`;
}

function placeText({ path, startLine }: Evidence): string {
  return `${path}:${startLine}`;
}

function messageText({ what, old, new: fresh, owner }: Message): string {
  switch (what) {
    case "renamed":
      return `${code(old)} is now ${code(fresh)}`;
    case "removed":
      return `${code(old)} no longer exists`;
    case "deprecated":
      return `${code(old)} is deprecated now${fresh === undefined ? "" : `, in favour of ${code(fresh)}`}`;
    case "value":
      return `${owner ? `the value of ${code(owner)}` : "the value"} is now ${code(fresh)}, not ${code(old)}`;
    case "moved":
      return `${code(old)} has moved to ${code(fresh)}`;
    case "member":
      return `${code(old)} is now ${code(fresh)}`;
    case "supported":
      return `${code(fresh)} now exists, so this note may be out of date`;
    case "version":
      return `${owner ? `${code(owner)} now needs` : "the version is now"} ${code(fresh)}, not ${code(old)}`;
    case "no file":
      return `there is no ${code(old)}`;
    case "no heading":
      return `${code(owner)} has no heading for ${code(`#${old}`)}`;
    case "no task":
      return `${code(owner)} has no ${code(old)}`;
    case "no flag":
      return `the code knows no ${code(old)}`;
    case "lags":
      return `${code(owner)}, which this page translates, says something else now`;
    case "missing":
      return `${code(fresh)} is new and missing here, where all the others are`;
    case "rewritten":
      return fresh === undefined
        ? `the code no longer says ${code(old)}`
        : `the code now says ${code(fresh)}, not ${code(old)}`;
    default:
      return [what, old, fresh].filter((part) => part !== undefined).join(" ");
  }
}

function code(text: string | undefined): string {
  const shown = (text ?? "").replace(/\s+/g, " ").trim();
  return `\`${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}\``;
}
