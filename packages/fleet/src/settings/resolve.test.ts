import { expect, test } from "vitest";
import { resolveSettings, type SettingsLayers, valuesOf } from "./resolve.ts";

const resolve = (layers: Partial<SettingsLayers>) =>
  resolveSettings({ fleet: {}, organisation: {}, repository: {}, file: {}, ...layers });

test("without settings, the defaults hold", () => {
  expect(valuesOf(resolve({}))).toEqual({
    schedule: {},
    labels: [],
    reviewers: [],
    branch: null,
    title: null,
    draft: false,
    grouping: "repository",
    dashboard: false,
    dryRun: false,
    openRequests: null,
    organisationRequests: null,
  });
});

test("the file wins over the repository, the repository over the organisation, the organisation over the fleet", () => {
  const layers: Partial<SettingsLayers> = {
    fleet: { draft: true, title: "fleet", labels: ["fleet"], branch: "fleet" },
    organisation: { title: "organisation", labels: ["organisation"], branch: "organisation" },
    repository: { labels: ["repository"], branch: "repository" },
    file: { branch: "file" },
  };
  expect(resolve(layers)).toMatchObject({
    draft: { value: true, from: "fleet" },
    title: { value: "organisation", from: "organisation" },
    labels: { value: ["repository"], from: "repository" },
    branch: { value: "file", from: "file" },
    reviewers: { value: [], from: "default" },
  });
});

test.each<[string, Partial<SettingsLayers>, boolean]>([
  ["the file of a repository turns a dry run on", { file: { dryRun: true } }, true],
  ["the file cannot turn it off", { organisation: { dryRun: true }, file: { dryRun: false } }, true],
  [
    "the fleet can turn it off for a repository",
    { fleet: { dryRun: true }, repository: { dryRun: false } },
    false,
  ],
])("%s", (_, layers, expected) => {
  expect(resolve(layers).dryRun.value).toBe(expected);
});

test.each<[string, number | undefined, number | undefined, number | null]>([
  ["no limit", undefined, undefined, null],
  ["the limit of the fleet", 3, undefined, 3],
  ["the file lowers a limit", 3, 1, 1],
  ["the file cannot raise a limit", 3, 9, 3],
  ["the file sets a limit", undefined, 2, 2],
  ["no pull requests at all", 0, 5, 0],
])("%s", (_, ours, theirs, expected) => {
  const limits = (openRequests: number | undefined) =>
    openRequests === undefined ? {} : { limits: { openRequests } };
  expect(resolve({ fleet: limits(ours), file: limits(theirs) }).openRequests.value).toBe(expected);
});
