import type { Grammar } from "../source/grammars.ts";
import type { Merging } from "./language.ts";

/** A format of data files, as far as merging needs it. */
export type DataFormat = {
  readonly extensions: readonly string[];
  readonly grammar: Grammar;
  readonly merging: Merging;
};

export const DATA_FORMATS: readonly DataFormat[] = [
  {
    extensions: ["json", "jsonc"],
    grammar: {
      name: "json",
      maker: "2014 Max Brunsfeld",
      sha256: "f60270905cfa2483e8444559620150c0a1a2b23684a9d4b8b79b4528887863bb",
    },
    merging: { lists: { object: ["pair"] } },
  },
  {
    extensions: ["toml"],
    grammar: {
      name: "toml",
      maker: "Ika",
      sha256: "2c3205cdd7a9e8d85547a2a9ad13fa760cc1012f7a6e65f898a5ae5d919c7175",
    },
    merging: {
      members: { document: ["pair", "table"], table: ["pair"] },
      lists: { inline_table: ["pair"] },
      named: "pair table",
    },
  },
  {
    extensions: ["yaml", "yml"],
    grammar: {
      name: "yaml",
      maker: "2019-2021 Ika, 2024 tree-sitter-grammars contributors",
      sha256: "81dd56ecfadd34b62181f996e52cff6d3c4c026d7fbff6a201323a9abe8b2580",
    },
    merging: { members: { block_mapping: ["block_mapping_pair"] }, lists: { flow_mapping: ["flow_pair"] } },
  },
];
