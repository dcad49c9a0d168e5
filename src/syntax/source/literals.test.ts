import { expect, test } from "vitest";
import { HOLE, readLiterals } from "./literals.ts";

test.each<[title: string, path: string, code: string, texts: string[]]>([
  ["a string", "a.ts", `log("nothing to do");`, ["nothing to do"]],
  ["strings beside each other in Python", "a.py", `say("one "\n    f"two {n}")`, [`one two ${HOLE}`]],
  ["strings joined by a sign", "a.js", `say("one " +\n  'two');`, ["one two"]],
  ["a value between strings", "A.java", `say("took " + elapsed() + " ms");`, [`took ${HOLE} ms`]],
  ["a template", "a.ts", `say(\`took \${ms} ms\`);`, [`took ${HOLE} ms`]],
  ["placeholders of printf", "a.go", 'Printf("%d of %-10s: %v")', [`${HOLE} of ${HOLE}: ${HOLE}`]],
  ["a text over lines of Go", "a.go", "const usage = `one\n  two`", ["one\n  two"]],
  ["arguments of a shell stay apart", "a.sh", `say "one" "two"`, ["one", "two"]],
  ["arguments of a call stay apart", "a.py", `say("one", "two")`, ["one", "two"]],
  ["comments are no texts", "a.ts", `// "old"\nsay("new"); /* 'older' */`, ["new"]],
  ["escapes are read", "a.c", `puts("a \\"b\\"\\n");`, ['a "b"\n']],
  ["strings of PHP joined by a dot", "a.php", `<?php say('one ' . $n . ' two');`, [`one ${HOLE} two`]],
])("%s", (_title, path, code, texts) => {
  expect(readLiterals(path, code).map(({ text }) => text)).toEqual(texts);
});
