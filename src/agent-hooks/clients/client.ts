import { defined } from "../../text/model/defined.ts";
import { isRecord, parseJson } from "../../text/model/json.ts";

/** The coding agents whose hooks Suture answers. */
const clientNames = ["claude", "codex", "gemini", "copilot", "vscode", "cursor"] as const;

export type ClientName = (typeof clientNames)[number];

/** The events at which a client calls a hook. */
export type HookEvent = "start" | "stop" | "before" | "after";

export type Payload = Readonly<Record<string, unknown>>;

/** A tool that the client is about to run, or has run. */
export type ToolCall = {
  readonly name: string;
  readonly input: Payload;
  /** The id that pairs the hook before a call with the hook after it, if the client sends one. */
  readonly id: string | null;
};

/** A call of a hook, whichever client made it. */
export type HookCall = {
  readonly client: ClientName;
  /** The client's own name of the session; `null` where it gives none. */
  readonly session: string | null;
  /** The model that answers, where the client names it with a call. */
  readonly model: string | null;
  /** The sub-agent that ends its turn; `null` for the main one. */
  readonly agent: string | null;
  readonly cwd: string | null;
  /** How the session came to be: `startup`, `resume`, `compact`. */
  readonly source: string | null;
  /** The turn goes on because a hook has blocked its end before. */
  readonly isContinued: boolean;
  /** The user or an error has ended the turn, so there is no next step to ask for. */
  readonly isAborted: boolean;
  readonly tool: ToolCall | null;
  /** The file in which the client keeps a record of the session; `null` where it names none. */
  readonly transcript: string | null;
};

/** The answer of a hook: one JSON value that the client reads. */
export type Answer = Readonly<Record<string, unknown>>;

/** Where a client looks for hooks. */
export type HookFile = {
  /** Relative to the root of the project. */
  readonly project: string;
  readonly user: UserFile;
  /** Paths in a project that show that the client is used there. */
  readonly sign: RegExp;
};

/** A file in the folder that a client keeps for a user. */
export type UserFile = {
  /** Relative to the home folder. */
  readonly folder: string;
  /** The variable that names another folder. */
  readonly variable?: string;
  readonly file: string;
};

/** A coding agent: how its hooks call us, how it wants to be answered, and where it looks for hooks. */
export type HookClient = {
  readonly name: ClientName;
  /** Other names that `--target` accepts. */
  readonly aliases?: readonly string[];
  readonly title: string;
  /** Whether a payload is one of its own, judged by the fields alone. */
  recognises(payload: Payload): boolean;
  readCall(payload: Payload): Omit<HookCall, "client" | "transcript">;
  /** Keeps the turn going, with this text for the model. */
  block(reason: string): Answer;
  /** Lets the turn end, with a line for the user where the client shows one. */
  note(text: string): Answer;
  /** After a tool: tells the model something about the result. */
  tell(text: string): Answer;
  readonly file: HookFile;
  /** Another client reads the same file, so a hook in it cannot know who calls. */
  readonly isShared?: true;
  /** The events in the client's words. */
  readonly events: Readonly<Record<HookEvent, string>>;
  /** Names of the tools whose effect is witnessed, as the client's matcher wants them. */
  readonly editTools: string;
  /** Names of the tools with which the agent reads a file; they change none, so no hook runs before them. */
  readonly readTools?: string;
  /** One hook in the client's form. */
  entry(hook: HookEntry): unknown;
  /** Keys that its file needs beside `hooks`. */
  readonly fileKeys?: Payload;
};

/** A hook to install: its command, its time limit, and the tools it is for. */
export type HookEntry = { readonly command: string; readonly seconds: number; readonly matcher?: string };

export function textField(payload: Payload, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = payload[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

function mapField(payload: Payload, ...names: readonly string[]): Payload {
  for (const name of names) {
    const given = payload[name];
    // Some clients send the arguments of a tool as a JSON text.
    const value = typeof given === "string" ? parseJson(given) : given;
    if (isRecord(value)) return value;
  }
  return {};
}

/** The call as most clients write it: snake case, or camel case. */
export function readUsualCall(payload: Payload): Omit<HookCall, "client" | "transcript"> {
  const tool = textField(payload, "tool_name", "toolName");
  return {
    session: textField(payload, "session_id", "sessionId", "conversation_id"),
    model: textField(payload, "model"),
    agent: textField(payload, "agent_id", "agentId"),
    cwd: textField(payload, "cwd"),
    source: textField(payload, "source"),
    isContinued: payload.stop_hook_active === true,
    isAborted: false,
    tool: tool === null ? null : readTool(tool, payload),
  };
}

function readTool(name: string, payload: Payload): ToolCall {
  return {
    name,
    input: mapField(payload, "tool_input", "toolArgs", "toolInput"),
    id: textField(payload, "tool_use_id", "toolUseId", "tool_call_id", "toolCallId"),
  };
}

/** The answers that Claude Code introduced and others took over. */
export const usualAnswers = {
  block: (reason: string): Answer => ({ decision: "block", reason }),
  note: (text: string): Answer => ({ systemMessage: text }),
  tell: (text: string): Answer => ({
    hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: text },
  }),
} as const;

/** A group of hooks for the tools that a matcher names. */
export function usualEntry({ command, seconds, matcher }: HookEntry): unknown {
  return {
    ...defined({ matcher }),
    hooks: [{ type: "command", command, timeout: seconds }],
  };
}

export const usualEvents: HookClient["events"] = {
  start: "SessionStart",
  stop: "Stop",
  before: "PreToolUse",
  after: "PostToolUse",
};
