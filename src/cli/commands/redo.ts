import { takeBack } from "../take-back.ts";

export const command = takeBack("redo", {
  summary: "do again what was undone",
  examples: [
    ["the newest undo", "suture redo"],
    ["one of them", "suture redo 13"],
  ],
});
