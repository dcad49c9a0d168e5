import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeReportFile } from "./report-file.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "suture-report-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const own = /a report of ours/;
const write = (name: string, text = "a report of ours, 2") =>
  writeReportFile(join(root, name), text, { own, root, folder: "make" });

test("a report is a new file, or takes the place of an earlier one, whole", () => {
  expect(write("out/report.html", "a report of ours, 1").ok).toBe(true);
  expect(write("out/report.html").ok).toBe(true);
  expect(readFileSync(join(root, "out/report.html"), "utf8")).toBe("a report of ours, 2");
  expect(readdirSync(join(root, "out"))).toEqual(["report.html"]);
});

test("a missing folder is created only for programs", () => {
  const path = join(root, "misspelt", "report.html");
  expect(writeReportFile(path, "", { own, root })).toMatchObject({
    ok: false,
    refusal: { code: "unavailable" },
  });
  expect(readdirSync(root)).toEqual([]);
});

test("a file that is not a report is never written over", () => {
  writeFileSync(join(root, "README.md"), "precious\n");
  expect(write("README.md")).toMatchObject({ ok: false, refusal: { code: "not-allowed" } });
  expect(readFileSync(join(root, "README.md"), "utf8")).toBe("precious\n");
});

test("below the root no link is followed, in place of the file or on the way to it", () => {
  const outside = mkdtempSync(join(tmpdir(), "suture-report-outside-"));
  try {
    writeFileSync(join(outside, "kept"), "a report of ours, 0");
    symlinkSync(join(outside, "kept"), join(root, "report.html"));
    symlinkSync(outside, join(root, "away"));
    mkdirSync(join(root, "folder"));
    for (const name of ["report.html", "away/kept", "folder"])
      expect(write(name)).toMatchObject({ ok: false, refusal: { code: "not-allowed" } });
    expect(readdirSync(outside)).toEqual(["kept"]);
    expect(readFileSync(join(outside, "kept"), "utf8")).toBe("a report of ours, 0");
  } finally {
    rmSync(outside, { recursive: true });
  }
});
