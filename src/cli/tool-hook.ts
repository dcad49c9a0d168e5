import { answerTool } from "./commands/agent-hooks/witness.ts";

// `suture agent before` and `suture agent after` without the rest of the command line: they run around every call of an
// agent's edit tool. The launcher starts this only for arguments of the form that it reads here.
const [, , , event, , target] = process.argv;
void answerTool(event === "after" ? "after" : "before", { target, isVerbose: false });
