import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { installedWith } from "../../scripts/third-party.ts";
import { house } from "./project.ts";

type Locked = {
  hasInstallScript?: boolean;
  integrity?: string;
  link?: boolean;
  resolved?: string;
};

const locked = Object.entries(lock.packages as Record<string, Locked>).filter(([path]) => path !== "");
const shipped = [...installedWith(""), ...installedWith("packages/fleet")].map(
  (name) =>
    [`node_modules/${name}`, (lock.packages as Record<string, Locked>)[`node_modules/${name}`]!] as const,
);

// What users install along with us. A name that is new here came with an update: look at it before you add it.
const known: Readonly<Record<string, string>> = {
  "": `
    @modelcontextprotocol/core @modelcontextprotocol/server smol-toml vscode-jsonrpc vscode-languageserver
    vscode-languageserver-protocol vscode-languageserver-types yaml zod
  `,
  "packages/fleet": `
    @electric-sql/pglite cron-parser jose luxon non-error pg pg-boss pg-connection-string pg-int8 pg-pool pg-protocol
    pg-types pgpass postgres-array postgres-bytea postgres-date postgres-interval rrule-temporal serialize-error split2
    tagged-tag temporal-spec type-fest xtend zod
  `,
};

test("no install script runs, neither ours nor a dependency's", () => {
  const scripts = Object.keys(manifest.scripts).filter((name) =>
    /^(pre|post)?install$|^(pre|post)prepare$/.test(name),
  );
  expect(scripts).toEqual([]);
  expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
});

test("versions are exact, and the lock file has a hash for each package", () => {
  // Packages whose types appear in ours are ranges, so that a program has one copy of each.
  const shared = /^(zod|@modelcontextprotocol\/\w+)$/;
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  const exact = all.filter(([name]) => !shared.test(name) || name in manifest.devDependencies);
  expect(exact.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  expect(
    locked
      .filter(
        ([path, { integrity, link }]) => !integrity && !link && /^node_modules\/[^/]+(\/[^/]+)?$/.test(path),
      )
      .map(([path]) => path),
  ).toEqual([]);
});

test("every shipped package is on the reviewed list", () => {
  for (const [folder, names] of Object.entries(known))
    expect(installedWith(folder), folder).toEqual(names.split(/\s+/).filter(Boolean).sort());
});

test("the package holds the listed files and no tests, state or secrets", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"], {
    cwd: house,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  const allowed =
    /^(bin|dist|grammars|plugin|schemas)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md|THIRD-PARTY\.txt|docs\/rules\.md)$/;
  expect(files.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([]);
  expect(
    files.map(({ path }) => path).filter((path) => /\.test\.|\.env|\.npmrc|\.suture/.test(path)),
  ).toEqual([]);
});

test("no workflow holds a long-lived key, and the publishing one runs no agent", () => {
  for (const file of globSync(join(house, "{.github/workflows,docs/ci}/*.{yml,yaml}"))) {
    const text = readFileSync(file, "utf8");
    expect(text).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|_authToken|secrets\.\w*(KEY|TOKEN)/);
    if (/npm publish/.test(text)) expect(text).not.toMatch(/suture (run|documentation|impact)|--model/);
  }
});
