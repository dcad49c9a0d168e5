import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listCacheFiles, readCacheFile, removeCacheFile, writeCacheFile } from "./cache-file.ts";

const name = "words/one.bin";
const bytes = Uint8Array.of(1, 2, 3, 4, 5);
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "suture-cache-"));
  vi.stubEnv("SUTURE_CACHE", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test("stored bytes are read again, and only their owner may read them", () => {
  expect(writeCacheFile(name, bytes)).toBe(true);
  expect([...readCacheFile(name)!]).toEqual([...bytes]);
  expect(readdirSync(join(folder, "words"))).toEqual(["one.bin"]);
  if (process.platform !== "win32") expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test("a damaged file counts as missing", () => {
  writeCacheFile(name, bytes);
  const kept = readFileSync(join(folder, name));
  for (let at = 0; at < kept.length; at++) {
    const spoilt = Buffer.from(kept);
    spoilt[at]! ^= 1;
    writeFileSync(join(folder, name), spoilt);
    expect(readCacheFile(name)).toBeNull();
  }
  writeFileSync(join(folder, name), kept.subarray(0, 2));
  expect(readCacheFile(name)).toBeNull();
});

test.skipIf(process.platform === "win32")(
  "a file that others may write, or a link, counts as missing",
  () => {
    writeCacheFile(name, bytes);
    chmodSync(join(folder, name), 0o666);
    expect(readCacheFile(name)).toBeNull();
    chmodSync(join(folder, name), 0o600);
    symlinkSync(join(folder, name), join(folder, "words/two.bin"));
    expect(readCacheFile("words/two.bin")).toBeNull();
  },
);

test("a folder is removed with its files", () => {
  writeCacheFile("sessions/one/call", new Uint8Array([1]));
  writeCacheFile("sessions/two", new Uint8Array([2]));
  removeCacheFile("sessions/one");
  expect(listCacheFiles("sessions").map(({ name }) => name)).toEqual(["sessions/two"]);
});

test("where the cache is off or cannot be created, nothing is stored and nothing fails", () => {
  vi.stubEnv("SUTURE_CACHE", "off");
  expect([writeCacheFile(name, bytes), readCacheFile(name)]).toEqual([false, null]);
  vi.stubEnv("SUTURE_CACHE", "a/relative/folder");
  expect([writeCacheFile(name, bytes), readCacheFile(name)]).toEqual([false, null]);
  writeFileSync(join(folder, "file"), "");
  vi.stubEnv("SUTURE_CACHE", join(folder, "file"));
  expect([writeCacheFile(name, bytes), readCacheFile(name)]).toEqual([false, null]);
});
