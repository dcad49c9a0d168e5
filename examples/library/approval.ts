// A person sees the exact change before it is written.
import { openSession, unwrap } from "suture";

const shown: string[] = [];
await using session = unwrap(
  await openSession({
    root: ".",
    approve: async ({ diff }) => {
      shown.push(diff);
      return diff.includes("+# Mailbox") || "Only the title, please.";
    },
  }),
);
const edit = (old_content: string, new_content: string) => session.call("edit_file", { path: "README.md", old_content, new_content });
const declined = await edit("# Postbox", "# Letters");
if (!declined.success) console.log(declined.code); // prints: declined
console.log((await edit("# Postbox", "# Mailbox")).success, shown.length); // prints: true 2
