// An outside program that saves a file it has open, again and again, with a number of its own in the first line:
// `node outside-child.ts FILE in-place|rename`. Just before a save it reads the bytes that it is about to overwrite and
// prints `own N` if they were its save number N; after the save it prints `saved N`. Ends when its input is closed.
import * as fs from "node:fs";

const [file, how] = process.argv.slice(2) as [string, string];
let number = 0;
let said = "";
process.stdin.resume().on("end", () => {
  fs.writeSync(1, said);
  process.exit();
});
fs.writeSync(1, "ready\n");
saveOnAndOn();

function saveOnAndOn(): void {
  try {
    if (how === "rename") saveByRename();
    else saveInPlace();
  } catch (error) {
    // In the strict mode the file has no name for an instant.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  setTimeout(saveOnAndOn, Math.random() * 3);
}

function saveByRename(): void {
  const old = fs.readFileSync(file, "latin1");
  const [text, own] = next(old);
  fs.writeFileSync(`${file}.saving`, text, "latin1");
  // A real editor would not read again. This read only shows whose bytes are overwritten.
  const standing = fs.readFileSync(file, "latin1") === old;
  fs.renameSync(`${file}.saving`, file);
  note(standing ? own : null);
}

function saveInPlace(): void {
  const fd = fs.openSync(file, "r+");
  const old = fs.readFileSync(fd, "latin1");
  const [text, own] = next(old);
  fs.writeSync(fd, text, 0, "latin1");
  fs.closeSync(fd);
  note(own);
}

function next(old: string): [text: string, own: string | null] {
  const own = /^outside ([0-9]{8})\n/.exec(old)?.[1] ?? null;
  return [`outside ${String(++number).padStart(8, "0")}\n${old.slice(old.indexOf("\n") + 1)}`, own];
}

function note(own: string | null): void {
  if (own) said += `own ${own}\n`;
  said += `saved ${String(number).padStart(8, "0")}\n`;
}
