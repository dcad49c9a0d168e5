import { expect, test } from "vitest";
import { hosts } from "./registry.ts";

const place = { commit: "0a1b2c3d", path: "docs/a (b).md", startLine: 3, endLine: 5 };

test.each([
  ["github", undefined, "https://github.com/acme/postbox/blob/0a1b2c3d/docs/a%20%28b%29.md#L3-L5"],
  [
    "github",
    "https://api.github.com",
    "https://github.com/acme/postbox/blob/0a1b2c3d/docs/a%20%28b%29.md#L3-L5",
  ],
  [
    "github",
    "https://git.example.org/api/v3/",
    "https://git.example.org/acme/postbox/blob/0a1b2c3d/docs/a%20%28b%29.md#L3-L5",
  ],
  ["gitlab", undefined, "https://gitlab.com/acme/postbox/-/blob/0a1b2c3d/docs/a%20%28b%29.md#L3-5"],
  [
    "gitlab",
    "https://lab.example.org/api/v4",
    "https://lab.example.org/acme/postbox/-/blob/0a1b2c3d/docs/a%20%28b%29.md#L3-5",
  ],
] as const)("%s at %s: lines of a file have an address", (kind, baseUrl, url) => {
  expect(hosts[kind].fileUrl({ name: "acme/postbox", baseUrl }, place)).toBe(url);
});

test("one line is named once", () => {
  const one = { ...place, path: "README.md", endLine: 3 };
  expect(hosts.github.fileUrl({ name: "acme/postbox", baseUrl: undefined }, one)).toBe(
    "https://github.com/acme/postbox/blob/0a1b2c3d/README.md#L3",
  );
});
