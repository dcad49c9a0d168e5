import { type HookClient, readUsualCall, usualAnswers, usualEvents } from "./client.ts";
import { githubEntry, githubHooks } from "./copilot.ts";

export const vscode: HookClient = {
  name: "vscode",
  title: "VS Code",
  recognises: (payload) => "hookEventName" in payload || typeof payload.timestamp === "string",
  readCall: readUsualCall,
  ...usualAnswers,
  file: { project: githubHooks, user: ".copilot/hooks/suture.json" },
  events: usualEvents,
  tools:
    "editFiles|create_file|replace_string_in_file|multi_replace_string_in_file|insert_edit_into_file|apply_patch|run_in_terminal",
  entry: githubEntry,
  fileKeys: { version: 1 },
};
