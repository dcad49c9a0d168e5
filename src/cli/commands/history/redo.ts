import { takeBack } from "./undo-redo.ts";

export const command = takeBack("redo", {
  summary: "do again what was undone",
  examples: [
    ["the newest undo", "suture redo"],
    ["one of them", "suture redo 13"],
  ],
});
