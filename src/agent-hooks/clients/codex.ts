import { type HookClient, readUsualCall, usualAnswers, usualEntry, usualEvents } from "./client.ts";

export const codex: HookClient = {
  name: "codex",
  title: "Codex",
  recognises: (payload) => "turn_id" in payload || ("model" in payload && "permission_mode" in payload),
  readCall: readUsualCall,
  ...usualAnswers,
  file: {
    project: ".codex/hooks.json",
    user: { folder: ".codex", variable: "CODEX_HOME", file: "hooks.json" },
    sign: /^\.codex\//,
  },
  events: usualEvents,
  editTools: "apply_patch|Edit|Write",
  entry: usualEntry,
};
