import { expect, test } from "vitest";
import { type FileKind, fileKind } from "./file-kind.ts";

test.each<[path: string, kind: FileKind]>([
  ["src/locale/lang/nb-NO.js", "data"],
  ["src/i18n/de.ts", "data"],
  ["app/locales/pt_BR/errors.ts", "data"],
  ["src/locale/lang/en.js", "product"],
  ["src/i18n/en-GB.ts", "product"],
  ["src/i18n/load.ts", "product"],
  ["src/languages/go.ts", "product"],
  ["src/lang/js.ts", "product"],
  ["src/format.ts", "product"],
  ["app/build.gradle.kts", "manifest"],
  ["gems.rb", "manifest"],
  ["sub/Makefile", "manifest"],
  [".gitlab-ci.yml", "automation"],
  [".github/dependabot.yml", "automation"],
  ["bitbucket-pipelines.yml", "automation"],
  ["src/main/kotlin/RetryTest.kt", "test"],
  ["src/main/java/org/example/docs/Options.java", "product"],
  ["lib/src/commonMain/kotlin/com/example/Client.kt", "product"],
  ["examples/java/src/main/java/org/acme/App.java", "example"],
  ["Acme.Boats.Tests/Helpers/Config.cs", "test"],
])("%s is a file of the kind %s", (path, kind) => {
  expect(fileKind(path)).toBe(kind);
});
