/** A file and a patch to begin with. */
export type Example = {
  readonly title: string;
  readonly file: string;
  readonly patch: string;
  readonly ending: "\n" | "\r\n";
};

const page = `# Client

Requests wait 30 seconds.

## Login

Call \`connect()\` first.

## Errors

Call \`connect()\` again.
`;

export const examples: readonly Example[] = [
  {
    title: "Wrong line numbers, other line endings",
    ending: "\r\n",
    file: page,
    patch: `Here is the change:

\`\`\`diff
@@ -90,3 +90,3 @@
 # Client

-Requests wait 30 seconds.
+Requests wait 60 seconds.
\`\`\`
`,
  },
  {
    title: "A quotation that is there twice",
    ending: "\n",
    file: page,
    patch: `[{ "path": "client.md", "old_string": "\`connect()\`", "new_string": "\`open()\`" }]
`,
  },
  {
    title: "A quotation that is not there",
    ending: "\n",
    file: page,
    patch: `<<<<<<< SEARCH
Requests wait thirty seconds.
=======
Requests wait 60 seconds.
>>>>>>> REPLACE
`,
  },
  {
    title: "An envelope, as some models write it",
    ending: "\n",
    file: page,
    patch: `*** Begin Patch
*** Update File: client.md
@@ ## Errors
-Call \`connect()\` again.
+Call \`reconnect()\`.
*** End Patch
`,
  },
];
