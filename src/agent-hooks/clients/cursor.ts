import { defined } from "../../text/model/defined.ts";
import { type HookClient, readUsualCall, textField } from "./client.ts";

export const cursor: HookClient = {
  name: "cursor",
  title: "Cursor",
  recognises: (payload) => "conversation_id" in payload || "workspace_roots" in payload,
  readCall: (payload) => {
    const call = readUsualCall(payload);
    const roots = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : [];
    const [root] = roots.filter((one) => typeof one === "string");
    return {
      ...call,
      session: textField(payload, "conversation_id", "session_id"),
      cwd: call.cwd ?? root ?? null,
      isContinued: typeof payload.loop_count === "number" && payload.loop_count > 0,
      isAborted: payload.status === "aborted" || payload.status === "error",
    };
  },
  block: (reason) => ({ followup_message: reason }),
  note: () => ({}),
  tell: (text) => ({ additional_context: text }),
  file: {
    project: ".cursor/hooks.json",
    user: { folder: ".cursor", file: "hooks.json" },
    sign: /^(\.cursor\/|\.cursorrules$)/,
  },
  events: { start: "sessionStart", stop: "stop", before: "preToolUse", after: "postToolUse" },
  editTools: "Write|Edit|StrReplace",
  readTools: "Read",
  entry: ({ command, seconds, matcher }) => ({
    command,
    timeout: seconds,
    ...defined({ matcher }),
  }),
  fileKeys: { version: 1 },
};
