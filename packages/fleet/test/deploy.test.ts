import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { globalOptions } from "../../../src/cli/command.ts";
import { command } from "../src/commands/fleet.ts";
import { sutureFromSource } from "./from-source.ts";

const house = join(import.meta.dirname, "..", "..", "..");
const folder = mkdtempSync(join(tmpdir(), "suture-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const known = new Set([...command.options, ...globalOptions].map(({ name }) => name));
const files = globSync("packages/fleet/deploy/**/*.{yaml,service}").concat(
  "packages/fleet/deploy/Dockerfile",
);

test.each(files)("%s can be read, and every option of `suture fleet` in it exists", (file) => {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".yaml")) for (const { errors } of parseAllDocuments(text)) expect(errors).toEqual([]);
  const used = text
    .split("\n")
    .filter(
      (line) =>
        /suture fleet (run|worker)|\b(run|worker), --|^ *- --|CMD/.test(line) && !line.startsWith("#"),
    )
    .flatMap((line) => Array.from(line.matchAll(/--([a-z][a-z-]*)/g), (match) => match[1]!));
  expect(used.filter((name) => !known.has(name))).toEqual([]);
  expect(used.length).toBeGreaterThan(0);
});

/** The documents of a manifest. */
function documentsOf(file: string): Record<string, unknown>[] {
  return parseAllDocuments(readFileSync(file, "utf8")).map((each) => each.toJS() as Record<string, unknown>);
}

const types: Readonly<Record<string, string>> = {
  Deployment: "kubernetes-types/apps/v1.js",
  Service: "kubernetes-types/core/v1.js",
};

/** Checks manifests by the types of Kubernetes' own API description. Returns what the compiler says. */
function checkManifests(documents: readonly Record<string, unknown>[]): SpawnSyncReturns<string> {
  const source = documents.map(({ kind, ...rest }, i) => {
    const name = String(kind);
    return `import type { ${name} as Kind${i} } from ${JSON.stringify(types[name])};\nexport const d${i}: Kind${i} = ${JSON.stringify({ kind, ...rest })};\n`;
  });
  const place = mkdtempSync(join(house, "node_modules", ".suture-manifests-"));
  try {
    writeFileSync(join(place, "manifests.ts"), source.join("\n"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", ""];
    const args = ["--ignoreConfig", ...options, join(place, "manifests.ts")];
    return spawnSync(join(house, "node_modules", ".bin", "tsc"), args, { cwd: place, encoding: "utf8" });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

test("the Kubernetes manifest has the shape of Kubernetes' API, and a wrong field would be found", () => {
  const documents = documentsOf("packages/fleet/deploy/kubernetes/fleet.yaml");
  expect(checkManifests(documents).stdout).toBe("");
  const wrong = structuredClone(documents) as [{ spec: Record<string, unknown> }];
  wrong[0].spec.replica = 3;
  expect(checkManifests(wrong).stdout).toContain("replica");
});

test("selectors, ports, volumes and users of the Kubernetes manifest belong together", () => {
  const documents = documentsOf("packages/fleet/deploy/kubernetes/fleet.yaml");
  const deployments = documents
    .filter(({ kind }) => kind === "Deployment")
    .map((each) => deployment.parse(each));
  expect(deployments).toHaveLength(3);
  for (const { spec } of deployments) {
    const { template } = spec;
    expect(template.metadata.labels).toEqual(spec.selector.matchLabels);
    const volumes = template.spec.volumes.map(({ name }) => name).sort();
    for (const { volumeMounts, args, securityContext } of template.spec.containers) {
      expect(volumeMounts.map(({ name }) => name).sort()).toEqual(volumes);
      expect(securityContext.readOnlyRootFilesystem).toBe(true);
      const home = args.find((each) => each.startsWith("--home="))!.slice("--home=".length);
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain(home);
    }
  }
  const [service] = documents.filter(({ kind }) => kind === "Service");
  const { selector } = (service as { spec: { selector: object } }).spec;
  expect(deployments.map(({ spec }) => spec.selector.matchLabels)).toContainEqual(selector);
});

const deployment = z.object({
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        volumes: z.array(z.object({ name: z.string() })),
        containers: z.array(
          z.object({
            args: z.array(z.string()),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
            securityContext: z.object({ readOnlyRootFilesystem: z.boolean() }),
          }),
        ),
      }),
    }),
  }),
});

test("services of the compose file use volumes, conditions and variables that exist", () => {
  const [file] = documentsOf("packages/fleet/deploy/compose.yaml");
  const { services, volumes } = compose.parse(file);
  for (const [name, service] of Object.entries(services)) {
    for (const volume of service.volumes ?? [])
      expect([name, volumes]).toEqual([name, expect.objectContaining({ [volume.split(":")[0]!]: null })]);
    for (const needed of Object.keys(service.depends_on ?? {}))
      expect(services[needed]?.healthcheck).toBeDefined();
  }
});

const service = z.strictObject({
  image: z.string().optional(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: z.string(), retries: z.int() })
    .optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal("service_healthy") })).optional(),
  stop_grace_period: z.string().optional(),
  restart: z.enum(["no", "always", "on-failure", "unless-stopped"]).optional(),
});
const compose = z.strictObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!hasSystemd) test.skip("systemd units: there is no systemd-analyze here");
else
  test.each(globSync("packages/fleet/deploy/systemd/*.service"))("systemd accepts %s", (file) => {
    // The program is where npm puts it on the machine of a user, and not here.
    const text = readFileSync(file, "utf8").replaceAll("/usr/bin/suture", "/bin/true");
    const copy = join(folder, basename(file).replace("@.", "@1."));
    writeFileSync(copy, text);
    const { stdout, stderr, status } = spawnSync("systemd-analyze", ["verify", "--man=no", copy], {
      encoding: "utf8",
    });
    expect({ said: `${stdout}${stderr}`, status }).toEqual({ said: "", status: 0 });
  });

/** Whether this machine can give a process its own view of the disk, as a container does. */
const cannotIsolate =
  process.getuid?.() !== 0
    ? "it takes root"
    : spawnSync("unshare", ["--mount", "true"]).status !== 0
      ? "this machine allows no mount namespaces"
      : null;

/** Runs `suture fleet` as the manifest does: another user, everything read-only but the fleet's home and /tmp. */
function startIsolated(args: readonly string[], home: string, variables: Record<string, string>) {
  const tmp = join(home, "..", "tmp");
  mkdirSync(tmp, { recursive: true });
  chmodSync(tmp, 0o777);
  const script = [
    `mount --bind ${home} ${home}`,
    `mount --bind ${tmp} ${tmp}`,
    "mount -o remount,ro,bind /",
    `for each in /tmp /root /home; do mount -o remount,ro,bind $each 2>/dev/null || true; done`,
    "if touch /usr/.suture-test 2>/dev/null; then echo the disk can be written; exit 99; fi",
    `exec setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs --bounding-set=-all "$@"`,
  ].join("\n");
  const program = [process.execPath, ...sutureFromSource, "fleet", ...args];
  const child = spawn(
    "unshare",
    ["--mount", "--propagation", "private", "sh", "-ec", script, "sh", ...program],
    {
      env: { PATH: process.env.PATH, HOME: "/nonexistent", TMPDIR: tmp, ...variables },
      cwd: "/",
    },
  );
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, ended, text: () => text };
}

if (cannotIsolate !== null) test.skip(`the server under a read-only disk and another user: ${cannotIsolate}`);
else
  test("the server starts as another user on a read-only disk with a home that does not exist, and ends when asked", async () => {
    const home = join(folder, "home");
    mkdirSync(home);
    chmodSync(folder, 0o755);
    chownSync(home, 10_001, 10_001);
    const server = startIsolated(["run", "--no-workers", "--port", "0", "--home", home], home, {
      SUTURE_FLEET_TOKEN: "a-token-of-the-deployment",
    });
    const url = await new Promise<string>((resolve, reject) => {
      const look = setInterval(() => {
        const found = /The fleet is at (http:\/\/[^/\s]+)/.exec(server.text())?.[1];
        if (found) resolve(found);
        else if (server.child.exitCode !== null) reject(new Error(server.text()));
        else return;
        clearInterval(look);
      }, 100);
    });
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ok: true });
    expect(execFileSync("stat", ["-c", "%u", join(home, "database")], { encoding: "utf8" })).toBe("10001\n");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });
