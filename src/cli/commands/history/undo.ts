import { takeBack } from "./undo-redo.ts";

export const command = takeBack("undo", {
  summary: "take back an entry, a whole run, or the newest entry",
  examples: [
    ["the newest", "suture undo"],
    ["one entry; later edits elsewhere stay", "suture undo 12"],
    ["see it first", "suture undo 12 --dry-run"],
  ],
});
