import { expect, test } from "vitest";
import { runGit } from "./git-process.ts";

test("git that is killed is named by its command and the signal", async () => {
  const call = runGit(["-c", "alias.wait=!kill -9 $PPID", "wait"]);
  await expect(call).rejects.toThrow("git wait was ended by SIGKILL");
});

test("git that fails without a reason is named by its command and the exit code", async () => {
  await expect(runGit(["-c", "alias.fails=!exit 3", "fails"])).rejects.toThrow("git fails ended with 3");
});
