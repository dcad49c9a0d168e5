import { expect, test } from "vitest";
import { secretsOf, withoutSecrets } from "./secrets.ts";

const environment = {
  PATH: "/bin",
  SUTURE_GITHUB_TOKEN: "token-of-github",
  DATABASE_URL: "postgres://suture:word@db/suture",
  SUTURE_HOSTS: "git.example.org=github:EXAMPLE_PAT, code.example.net=gitlab:OTHER_PAT",
  EXAMPLE_PAT: "token-of-example",
  OTHER_PAT: "",
};

test("a variable that SUTURE_HOSTS names as a token is a secret, whatever its name", () => {
  expect(secretsOf(environment).sort()).toEqual([
    "postgres://suture:word@db/suture",
    "token-of-example",
    "token-of-github",
  ]);
});

test("a child process gets no variable that holds a secret", () => {
  const { PATH, SUTURE_HOSTS } = environment;
  expect(withoutSecrets(environment)).toEqual({ PATH, SUTURE_HOSTS });
});
