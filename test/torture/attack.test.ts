import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { attackRepositories } from "../../torture/attack/attack.ts";
import { bundleCommand } from "../doors/bundle.ts";
import { patiently } from "./run-part.ts";

const pairs = 5800;
const tried = 120;

test(
  "no command starts a program of a hostile repository or writes elsewhere",
  patiently,
  async ({ skip }) => {
    skip(spawnSync("strace", ["-V"]).error !== undefined, "strace is not installed");
    const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "suture-attack-")));
    const bundle = await bundleCommand();
    try {
      const every = Math.floor(pairs / tried);
      // Other pairs each time, and the same ones for the same seed.
      const from = Number(inject("seed")) % every;
      const report = await attackRepositories(folder, {
        program: bundle.main,
        repositories: "",
        commands: "",
        every,
        from,
      });
      console.log(`${report.runs} runs, ${report.started} programs started, ${report.writes} writes`);
      expect([...report.bad, ...report.hung]).toEqual([]);
      expect(report.runs).toBeGreaterThan(tried / 2);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
      bundle.remove();
    }
  },
);
