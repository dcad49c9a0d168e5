// Loads the files of dist/cli. Node's own cache holds a file as it was before any of its functions ran, so a process that
// lives for some milliseconds would compile the functions it calls every time. For the commands that start often, the
// code is kept as it is when the process ends, once for each of them.
"use strict";

const { isAscii } = require("node:buffer");
const fs = require("node:fs");
const path = require("node:path");

/** They start often, end soon, and never import a package. */
const quickCommands = [
  ...["edit", "patch", "insert", "apply", "read", "search"],
  ...["log", "show", "diff", "undo", "redo", "restore"],
];

/** What src/syntax/source/tree.ts sets when it parses. V8 takes code only under the flags under which it was kept. */
const parserFlags = ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];
const withoutParser = ["--no-liftoff-only", "--wasm-tier-up", "--wasm-dynamic-tiering"];

module.exports = { quickCommands, parserFlags, load };

/**
 * Runs a file of dist/cli for a command, or for a hook around a tool. `folder`: the cache. `model`: it will ask a model, and
 * kept code cannot import the packages for that.
 */
function load(file, { folder, command, hook, model }) {
  if (!prepare(path.join(folder, "compiled"))) return require(file);
  // An agent reads before it edits, so the first calls of a hook do less than later ones.
  if (hook) return loadKept(file, { folder, name: `agent-${hook}`, tries: 32 });
  if (quickCommands.includes(command)) return loadKept(file, { folder, name: command, tries: 0 });
  setFlags(parserFlags);
  require("node:module").enableCompileCache(path.join(folder, "compiled"));
  // Each change needs other rules, so checks add the functions that they call, until two in a row add none.
  if (command === "check" && !model) loadKept(file, { folder, name: command, tries: 2 });
  else require(file);
}

function setFlags(flags) {
  for (const flag of flags) require("node:v8").setFlagsFromString(flag);
}

/**
 * Makes the folder for compiled code, closed to other users. False where other users can write to a folder on the way:
 * neither Node nor V8 sees who wrote the code. src/workspace/files/private-folder.ts has the same rule.
 */
function prepare(folder) {
  try {
    const user = process.getuid?.();
    if (user === undefined) return true;
    let there = folder;
    while (!fs.lstatSync(there, { throwIfNoEntry: false })) there = path.dirname(there);
    const isOurs = (one) => foldersTo(one).every((at) => isSafe(fs.lstatSync(at), user));
    if (![there, fs.realpathSync.native(there)].every(isOurs)) return false;
    if (there !== folder) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    else if (fs.statSync(folder).mode & 0o077) fs.chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

function foldersTo(file) {
  return file === path.dirname(file) ? [file] : [...foldersTo(path.dirname(file)), file];
}

function isSafe(stat, user) {
  if (stat.uid !== user && stat.uid !== 0) return false;
  if (stat.isSymbolicLink()) return true;
  const isOwnGroup = stat.uid === user && stat.gid === user;
  const isSticky = (stat.mode & 0o1000) !== 0;
  return (stat.mode & (isOwnGroup ? 0o002 : 0o022)) === 0 || isSticky;
}

/**
 * Runs a file, and the files it requires, with the code that an earlier run compiled. `tries`: how many later runs may add
 * the functions that they compiled.
 */
function loadKept(entry, { folder, name, tries }) {
  const vm = require("node:vm");
  const place = path.join(folder, "compiled", `${process.version}-${process.arch}`, name);
  const loaded = new Map();
  const growing = [];
  process.on("exit", () => {
    // The other commands that keep code seldom parse, and loading the flags takes 2 ms.
    if (growing.length > 0 && name !== "check") setFlags(withoutParser);
    for (const one of growing) keepGrown(place, one, tries);
  });
  loadFile(entry);

  function loadFile(file) {
    const known = loaded.get(file);
    if (known) return known.exports;
    const own = { exports: {} };
    loaded.set(file, own);
    const id = idOf(file);
    const kept = readKept(path.join(place, id));
    const text = readText(file);
    const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
      filename: file,
      cachedData: kept?.code,
    });
    if (!kept || script.cachedDataRejected) growing.push({ script, file, id, size: 0, tries });
    else if (kept.tries > 0) growing.push({ script, file, id, size: kept.code.length, tries: kept.tries });
    const around = path.dirname(file);
    const requireHere = (wanted) =>
      wanted.startsWith("./") ? loadFile(path.join(around, wanted)) : require(wanted);
    script.runInThisContext().call(own.exports, own.exports, requireHere, own, file, around);
    return own.exports;
  }
}

/** The build writes plain ASCII, which needs no decoding. */
function readText(file) {
  const bytes = fs.readFileSync(file);
  return isAscii(bytes) ? bytes.latin1Slice() : bytes.utf8Slice();
}

/** Names this content of this file: whatever replaces the file gives it another time of change. */
function idOf(file) {
  const { ino, size, ctimeMs } = fs.statSync(file);
  return [placeOf(file), ino, size, ctimeMs, path.basename(file)].join("-");
}

/** A short name for the folder of a file: several versions of Suture may be installed. */
function placeOf(file) {
  const folder = path.dirname(file);
  let sum = 0;
  for (let i = 0; i < folder.length; i++) sum = (Math.imul(sum, 31) + folder.charCodeAt(i)) | 0;
  return (sum >>> 0).toString(36);
}

/** Code that another user could have written counts as missing. */
function readKept(file) {
  let open;
  try {
    open = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW || 0));
  } catch {
    return undefined;
  }
  try {
    const { uid, mode } = fs.fstatSync(open);
    const isOurs = !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);
    if (!isOurs) return undefined;
    const bytes = fs.readFileSync(open);
    const end = headSize + (bytes.length - headSize) / 2;
    const code = bytes.subarray(headSize, end);
    return code.length > 0 && code.equals(bytes.subarray(end)) ? { tries: bytes[0], code } : undefined;
  } catch {
    return undefined;
  } finally {
    fs.closeSync(open);
  }
}

/**
 * V8 wants the code to begin at a multiple of eight bytes; the first byte counts the tries that are left. The code is kept
 * twice, because V8 does not notice damaged code. Comparing takes a tenth of a millisecond, a sum of the bytes three.
 */
const headSize = 8;

/** Code that grew by less is not worth a write. */
const growth = 1.02;

/** Keeps the code of a script if it grew. */
function keepGrown(place, { script, file, id, size, tries }, most) {
  try {
    const code = script.createCachedData();
    if (code.length > size * growth) {
      keep(place, id, { code, tries: most });
      removeOlder(place, id, file);
    } else countDown(path.join(place, id), tries - 1);
  } catch {
    // The cache cannot be written; the next run compiles again.
  }
}

/** All or nothing, and flushed before it has its name. */
function keep(place, id, { code, tries }) {
  const draft = path.join(place, `${process.pid}.draft`);
  fs.mkdirSync(place, { recursive: true, mode: 0o700 });
  fs.rmSync(draft, { force: true });
  const head = Buffer.alloc(headSize, 0);
  head[0] = tries;
  fs.writeFileSync(draft, Buffer.concat([head, code, code]), { flag: "wx", mode: 0o600, flush: true });
  fs.renameSync(draft, path.join(place, id));
}

function countDown(file, tries) {
  const open = fs.openSync(file, "r+");
  try {
    fs.writeSync(open, Uint8Array.of(tries), 0, 1, 0);
  } finally {
    fs.closeSync(open);
  }
}

/** Removes the code of the same file as it was before it was replaced, and of files that are gone. */
function removeOlder(place, id, file) {
  const own = placeOf(file);
  for (const other of fs.readdirSync(place)) {
    const [folder, , , , ...rest] = other.split("-");
    const name = rest.join("-");
    if (other === id || folder !== own) continue;
    if (name === path.basename(file) || !fs.existsSync(path.join(path.dirname(file), name)))
      fs.rmSync(path.join(place, other), { force: true });
  }
}
