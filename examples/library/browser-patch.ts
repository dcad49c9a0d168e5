// A patch as a model writes it: fenced, with wrong counts, for a text with other line endings.
import { applyPatch } from "suture/text";

const patched = applyPatch("one\r\ntwo\r\n", "```diff\n@@ -9,9 +9,9 @@\n one\n-two\n+2\n```");
console.log(patched.ok ? JSON.stringify(patched.value) : patched.refusal.code); // prints: "one\r\n2\r\n"
