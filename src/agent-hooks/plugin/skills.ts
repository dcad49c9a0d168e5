/** A skill: the name is its folder, the description says what it does and when. */
export type Skill = { readonly name: string; readonly text: string };

const keepDocsTrue = `---
name: keep-docs-true
description: Finds and fixes documentation that a code change made false. Use after you rename, remove or move a function, flag, command, file, environment variable or default value, and when a hook says that a passage is false.
compatibility: Needs Node 22.18 or newer and a git repository.
---

# Keep documentation true

1. \`npx -y suture check --base REV\` lists the passages that the change since REV made false, each with the line of code
   that proves it. Without \`--base\` it compares with the main branch.
2. \`npx -y suture fix --base REV\` makes the edits that are certain. Everything it does can be undone.
3. Edit the passages that are left by hand. Change only what the evidence contradicts.
4. If a passage is right as it is: \`npx -y suture dismiss ID --reason TEXT\`.

Do not delete a passage to silence a finding. Pages that instruct agents (AGENTS.md, skills) need a person's consent.
`;

const lookBackAndUndo = `---
name: look-back-and-undo
description: Shows who edited a file, when and why, and takes an edit back to the byte. Use when an edit went wrong, when line endings or an encoding changed, or when another agent has edited the same lines.
compatibility: Needs Node 22.18 or newer.
---

# Look back and undo

- \`npx -y suture log\` lists the edits, newest first, with author and reason. \`npx -y suture log PATH\` lists those of one file.
- \`npx -y suture show ID\` shows what an edit changed.
- \`npx -y suture undo ID\` takes it back. Later edits of other lines stay. If a later edit touched the same lines, it
  refuses and says why; nothing is overwritten.
- \`npx -y suture redo ID\` makes it again.

Edits that you make with your own edit tool are in the journal too, if the hooks of Suture are installed.
`;

/** The skills of the plugin, short enough to be read whole. */
export const skills: readonly Skill[] = [
  { name: "keep-docs-true", text: keepDocsTrue },
  { name: "look-back-and-undo", text: lookBackAndUndo },
];
