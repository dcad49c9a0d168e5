import { expect, test } from "vitest";
import { nameOfRemote } from "./remote-name.ts";

test.each([
  ["https://github.com/acme/handbook", "github.com", "acme/handbook"],
  [
    "https://gitlab-ci-token:secret@git.example.org/group/sub/handbook.git",
    "git.example.org",
    "group/sub/handbook",
  ],
  ["git@github.com:acme/handbook.git", "github.com", "acme/handbook"],
  ["ssh://git@git.example.org:2222/acme/handbook.git/", "git.example.org", "acme/handbook"],
])("%s names a repository", (address, host, repository) => {
  expect(nameOfRemote(address)).toEqual({ host, repository });
});

test.each([
  "/srv/git/handbook.git",
  "../handbook",
  "file:///srv/handbook.git",
  "https://github.com/handbook",
])("%s names none", (address) => {
  expect(nameOfRemote(address)).toBeNull();
});
