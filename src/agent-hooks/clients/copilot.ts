import { defined } from "../../text/model/defined.ts";
import { type HookClient, type HookEntry, readUsualCall, usualAnswers, usualEvents } from "./client.ts";

/** The file that Copilot CLI, the cloud agent and VS Code all read. */
export const githubHooks = ".github/hooks/suture.json";

export const copilotFolder = {
  folder: ".copilot",
  variable: "COPILOT_HOME",
  file: "hooks/suture.json",
} as const;

/** The tools of both that edit and read files. */
export const githubTools = {
  editTools:
    "edit|create|Edit|Create|Write|str_replace_editor|editFiles|create_file|replace_string_in_file|multi_replace_string_in_file|insert_edit_into_file|apply_patch",
  readTools: "view|Read|read_file",
};

/** One hook that runs in both: `bash` and `powershell` for Copilot, `command` for VS Code. */
export function githubEntry({ command, seconds, matcher }: HookEntry): unknown {
  return {
    type: "command",
    ...defined({ matcher }),
    command,
    bash: command,
    powershell: command,
    timeoutSec: seconds,
    timeout: seconds,
  };
}

export const copilot: HookClient = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  recognises: (payload) =>
    typeof payload.timestamp === "number" ||
    "stop_reason" in payload ||
    "tool_result" in payload ||
    ("tool_name" in payload && "timestamp" in payload && !("tool_use_id" in payload)) ||
    "initial_prompt" in payload,
  readCall: readUsualCall,
  block: usualAnswers.block,
  // Copilot shows a user nothing that a hook says at the end of a turn.
  note: () => ({}),
  tell: (text) => ({ additionalContext: text, ...usualAnswers.tell(text) }),
  file: {
    project: githubHooks,
    user: copilotFolder,
    sign: /^\.github\/(hooks|agents|instructions)\/|^\.github\/copilot-instructions\.md$/,
  },
  events: usualEvents,
  ...githubTools,
  entry: githubEntry,
  isShared: true,
  fileKeys: { version: 1 },
};
