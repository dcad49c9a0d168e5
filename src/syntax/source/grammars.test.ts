import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { GRAMMARS, readGrammar } from "./grammars.ts";

// What was read and tried. A grammar that changes must be looked at before its hash is.
const HASHES: Record<(typeof GRAMMARS)[number], string> = {
  bash: "5daf3f2ac1cea01a64cfd6878ef7d247310925a4c62238eb4b8c1feb5dce355a",
  c: "7b80a64003e8ef8cde197329ee0167e9270f67663f2e6c6ef7d67b5425998aac",
  c_sharp: "608208861b5cacee3805c486109e05cdfcf508988c303199cbba4628b8ed4151",
  cpp: "285a0d1da90e6cdea639ddf1b925ebca567d24b68d13c418ea92f5a6b7c099dd",
  go: "fd9af2da4da88b2537d4a33ce4739dd478cc5b141fdce4cdcf9a0e464b91b614",
  java: "e430a1a344388d6d3bc9f87144dec0d204fca37fafe5f4ab23c51060972a2ac5",
  javascript: "fc5362de9cacbfd6c6ee11e5bf144c7adbbf26ae3703eaaba916d4b0d78da76f",
  kotlin: "7009d69453bc8735e438b2818a633efb21c88f99782769abba60dffedfab73f7",
  php: "01e0af450e9dae33a62a2d7a407240be883574a49edc031eb2bc4b1f22b69e55",
  python: "2091d112a2989c54c2157a0a9a62c06d41a5ef3e40fd71f19cde7b4663bdd028",
  ruby: "db6b357418d4154402e48b497dfa9128d592cf9c559bff1ea1e3fcfe3a3b8d56",
  rust: "dc7f9b4d182af6b8332b44cfb8d24c0b25892900b006af5ce7eafdef8c976d5a",
  swift: "82b1886011958a172de958203fe2bb4a6a5b7a7f48608f25496c6ce5b236d7aa",
  tsx: "36d947d9f19043c1108f3f8f5cfa82c25ffd681694e76a164d8b35022ded1d40",
  typescript: "78a2710a7d0f60a8c9ab92cc6e961f76cf80b3d69690140eeca8a29eba9185db",
};

test.each(GRAMMARS)("the %s grammar is the one that was tried", async (grammar) => {
  const bytes = await readGrammar(grammar);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(HASHES[grammar]);
});
