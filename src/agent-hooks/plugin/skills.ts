/** A skill: the name is its folder, the description says what it does and when. */
export type Skill = { readonly name: string; readonly text: string };

const keepDocsTrue = (call: string): string => `---
name: keep-docs-true
description: Finds and fixes documentation that a code change made false. Use after you rename, remove or move a function, flag, command, file, environment variable or default value, and when a hook says that a passage is false.
compatibility: Needs Node 22.18 or newer and a git repository.
---

# Keep documentation true

\`suture\` below stands for \`${call}\`. Do not use a program of the project in its place.

1. \`suture check --base REV\` lists the passages that the change since REV made false, each with the line of code
   that proves it. Without \`--base\` it compares with the main branch.
2. \`suture fix --base REV\` makes the edits that are certain. Everything it does can be undone.
3. Edit the passages that are left by hand. Change only what the evidence contradicts.
4. If a passage is right as it is: \`suture dismiss ID --reason TEXT\`.

Do not delete a passage to silence a finding. Pages that instruct agents (AGENTS.md, skills) need a person's consent.
`;

const lookBackAndUndo = (call: string): string => `---
name: look-back-and-undo
description: Shows who edited a file, when and why, and takes an edit back to the byte. Use when an edit went wrong, when line endings or an encoding changed, or when another agent has edited the same lines.
compatibility: Needs Node 22.18 or newer.
---

# Look back and undo

\`suture\` below stands for \`${call}\`. Do not use a program of the project in its place.

- \`suture log\` lists the edits, newest first, with author and reason. \`suture log PATH\` lists those of one file.
- \`suture show ID\` shows what an edit changed.
- \`suture undo ID\` takes it back. Later edits of other lines stay. If a later edit touched the same lines, it
  refuses and says why; nothing is overwritten.
- \`suture redo ID\` makes it again.

Edits that you make with your own edit tool are in the journal too, if the hooks of Suture are installed.
`;

/** The skills of the plugin, short enough to be read whole. `call`: the command that starts Suture in any folder. */
export function skills(call: string): readonly Skill[] {
  return [
    { name: "keep-docs-true", text: keepDocsTrue(call) },
    { name: "look-back-and-undo", text: lookBackAndUndo(call) },
  ];
}
