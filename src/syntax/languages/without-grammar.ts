import { DASH_COMMENTS, HASH_COMMENTS, SLASH_COMMENTS } from "./comments.ts";
import type { Language } from "./language.ts";

/** Languages that have no grammar here: their files are source code, and their comments are known. */
export const WITHOUT_GRAMMAR: readonly Language[] = [
  {
    name: "clojure",
    extensions: ["clj", "cljs", "cljc"],
    comments: { ...DASH_COMMENTS, line: [";"], quotes: ['"'] },
  },
  { name: "dart", extensions: ["dart"], comments: SLASH_COMMENTS },
  {
    name: "elixir",
    extensions: ["ex", "exs"],
    comments: { ...HASH_COMMENTS, doc: "all" },
  },
  { name: "fish", extensions: ["fish"], interpreters: ["fish"], comments: HASH_COMMENTS },
  { name: "graphql", extensions: ["graphql", "gql"], comments: HASH_COMMENTS },
  {
    name: "groovy",
    extensions: ["groovy"],
    programs: /groovy/,
    comments: SLASH_COMMENTS,
    classFiles: ["groovy"],
  },
  {
    name: "haskell",
    extensions: ["hs"],
    comments: { ...DASH_COMMENTS, block: [["{-", "-}"]], quotes: ['"'] },
  },
  {
    name: "lua",
    extensions: ["lua"],
    programs: /lua/,
    comments: { ...DASH_COMMENTS, block: [["--[[", "]]"]] },
  },
  { name: "nim", extensions: ["nim"], comments: HASH_COMMENTS },
  {
    name: "ocaml",
    extensions: ["ml", "mli"],
    comments: { line: [], block: [["(*", "*)"]], doc: [], quotes: ['"'] },
  },
  {
    name: "perl",
    extensions: ["pl", "pm"],
    interpreters: ["perl"],
    programs: /perl/,
    comments: HASH_COMMENTS,
  },
  { name: "powershell", extensions: ["ps1", "psm1"], comments: HASH_COMMENTS },
  { name: "proto", extensions: ["proto"], comments: { ...SLASH_COMMENTS, doc: [] } },
  { name: "python", extensions: ["pyx", "pxd"], comments: HASH_COMMENTS },
  {
    name: "scala",
    extensions: ["scala", "sc"],
    programs: /scala/,
    comments: SLASH_COMMENTS,
    classFiles: ["scala"],
  },
  { name: "sql", extensions: ["sql"], comments: { ...DASH_COMMENTS, block: [["/*", "*/"]] } },
  { name: "zig", extensions: ["zig"], comments: SLASH_COMMENTS },
];
