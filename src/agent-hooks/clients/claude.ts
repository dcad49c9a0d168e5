import { type HookClient, readUsualCall, usualAnswers, usualEntry, usualEvents } from "./client.ts";

export const claude: HookClient = {
  name: "claude",
  aliases: ["claude-code"],
  title: "Claude Code",
  recognises: (payload) => "prompt_id" in payload || "background_tasks" in payload,
  readCall: readUsualCall,
  ...usualAnswers,
  file: {
    project: ".claude/settings.json",
    user: { folder: ".claude", variable: "CLAUDE_CONFIG_DIR", file: "settings.json" },
    sign: /^(\.claude\/|\.claude-plugin\/|claude(\.local)?\.md$)/i,
  },
  events: usualEvents,
  editTools: "Edit|MultiEdit|Write|NotebookEdit",
  readTools: "Read",
  entry: usualEntry,
};
