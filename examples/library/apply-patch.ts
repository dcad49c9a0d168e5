// OpenAI's apply_patch tool, executed by a session.
import { openSession, unwrap } from "suture";

await using session = unwrap(await openSession({ root: "." }));
const operation = { type: "create_file", path: "new.md", diff: "+hello\n" } as const;
console.log((await session.tools.applyPatch().run({ type: "apply_patch_call", call_id: "1", operation })).status); // prints: completed
