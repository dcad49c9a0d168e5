import { defined } from "../../text/model/defined.ts";
import { type HookClient, readUsualCall, textField, usualAnswers } from "./client.ts";

const ownEvents =
  /^(BeforeAgent|AfterAgent|BeforeTool|AfterTool|BeforeModel|AfterModel|BeforeToolSelection)$/;

export const gemini: HookClient = {
  name: "gemini",
  title: "Gemini CLI",
  recognises: (payload) => {
    const event = textField(payload, "hook_event_name") ?? "";
    return (
      ownEvents.test(event) ||
      (event === "SessionStart" && /\.gemini[\\/]/.test(`${payload.transcript_path}`))
    );
  },
  readCall: readUsualCall,
  block: (reason) => ({ decision: "deny", reason }),
  note: usualAnswers.note,
  tell: (text) => ({ hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: text } }),
  file: {
    project: ".gemini/settings.json",
    user: { folder: ".gemini", file: "settings.json" },
    sign: /^(\.gemini\/|gemini\.md$)/i,
  },
  events: { start: "SessionStart", stop: "AfterAgent", before: "BeforeTool", after: "AfterTool" },
  editTools: "replace|write_file",
  readTools: "read_file",
  // Gemini counts in milliseconds, and knows hooks by their names.
  entry: ({ command, seconds, matcher }) => ({
    ...defined({ matcher }),
    hooks: [{ type: "command", name: "suture", command, timeout: seconds * 1000 }],
  }),
};
