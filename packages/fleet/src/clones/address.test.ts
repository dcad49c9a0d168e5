import { expect, test } from "vitest";
import { parseAddress } from "./address.ts";

test.each([
  ["https://github.com/acme/api.git", "github.com", "acme", "api"],
  ["https://GitHub.COM:443/acme/api", "github.com", "acme", "api"],
  ["https://git.example.org:8443/group/part/api.git/", "git.example.org:8443", "group/part", "api"],
  ["https://github.com/acme/../other/api.git", "github.com", "other", "api"],
  ["ssh://git@git.example.org:7999/acme/api.git", "git.example.org:7999", "acme", "api"],
  ["git@github.com:acme/api.git", "github.com", "acme", "api"],
  ["/srv/clones/acme/api.git", "local", "acme", "api"],
  ["file:///srv/clones/acme/api.git", "local", "acme", "api"],
])("the host, the organisation and the name of %s", (given, host, organisation, name) => {
  expect(parseAddress(given)).toMatchObject({ ok: true, value: { host, organisation, name, url: given } });
});

test.each([
  ["a credential", "https://user:secret@github.com/acme/api.git"],
  ["a user", "https://user@github.com/acme/api.git"],
  ["a host without a repository", "https://github.com"],
  ["a host and a fragment that names another", "https://github.com#@evil.test/acme/api.git"],
  ["a host and a query that names another", "https://github.com?@evil.test/acme/api.git"],
  ["a program", "ext::sh -c true"],
  ["an option of git", "--upload-pack=true"],
  ["a protocol without protection", "http://github.com/acme/api.git"],
  ["a protocol without protection, of git", "git://github.com/acme/api.git"],
  ["a line break", "https://github.com/acme/api.git\nhttps://evil.test/acme/api.git"],
  ["a broken escape", "file:///srv/%zz/acme/api.git"],
  ["two ports", "https://github.com:443:8443/acme/api.git"],
])("%s is refused as an address", (_, given) => {
  expect(parseAddress(given)).toMatchObject({ ok: false, refusal: { code: "malformed" } });
});

test.each([
  "https://local/acme/api.git",
  "https://LOCAL/acme/api.git",
  "ssh://git@local/acme/api.git",
  "git@local:acme/api.git",
])("a host that is called as the clones of this machine are is refused: %s", (given) => {
  expect(parseAddress(given)).toMatchObject({ ok: false, refusal: { code: "malformed" } });
});
