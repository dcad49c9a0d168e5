import { type HookClient, readUsualCall, usualAnswers, usualEvents } from "./client.ts";
import { copilotFolder, githubEntry, githubHooks, githubTools } from "./copilot.ts";

export const vscode: HookClient = {
  name: "vscode",
  title: "VS Code",
  recognises: (payload) => "hookEventName" in payload || typeof payload.timestamp === "string",
  readCall: readUsualCall,
  ...usualAnswers,
  file: {
    project: githubHooks,
    user: copilotFolder,
    sign: /^\.vscode\/mcp\.json$|^\.github\/(chatmodes|prompts)\//,
  },
  events: usualEvents,
  ...githubTools,
  entry: githubEntry,
  isShared: true,
  fileKeys: { version: 1 },
};
