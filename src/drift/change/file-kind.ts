import { HOST_CI_FILES, HOST_FOLDERS } from "../../syntax/code-hosts.ts";
import { keepLast } from "../../syntax/keep-last.ts";
import { namesPackages } from "../../syntax/manifests/manifest.ts";
import { isProductPath, isTestPath, withoutPackage } from "./code-path.ts";

/** The purpose of a file. Only `product` files define the surface of the project. */
export type FileKind =
  | "product"
  | "test"
  | "example"
  | "automation"
  | "tooling"
  | "generated"
  | "manifest"
  | "data";

const AUTOMATION_FOLDER = /\.(?:circleci|buildkite|azure-pipelines|travis|husky|changeset)/;
const AUTOMATION_FILE =
  /\.travis|appveyor|azure-pipelines|jenkinsfile|\.pre-commit-config|renovate|dependabot|codecov|\.codecov|netlify|vercel/;
const AUTOMATION = new RegExp(
  String.raw`(^|\/)(?:${HOST_FOLDERS}|${AUTOMATION_FOLDER.source})\b|(^|\/)(?:${HOST_CI_FILES}|${AUTOMATION_FILE.source})[^/]*$`,
  "i",
);
const TOOLING =
  /(^|\/)(\.?(eslint|prettier|babel|rollup|webpack|vite|vitest|jest|karma|tsup|tsdown|biome|stylelint|commitlint|lint-staged|postcss|tailwind|typedoc|mkdocs|knip|nx|turbo|lerna|size-limit|clang-format|editorconfig|rubocop|golangci|rustfmt|clippy|flake8|pylint|mypy|ruff|coveragerc|nycrc|mocharc|swcrc|babelrc|npmrc|nvmrc|releaserc|goreleaser)(rc)?(\.config)?(\.[a-z]+)*|[jt]sconfig[^/]*\.json|vetur\.config\.js|gulpfile\.[a-z]+|gruntfile\.[a-z]+|docker-compose[^/]*|codeowners|lefthook\.yml)$/i;
const EXAMPLE =
  /(^|\/)(examples?|samples?|demos?|sandbox(es)?|playgrounds?|docs?|docs_src|documentation|website|site|www|book|guides?|tutorials?|recipes|\.vitepress|\.vuepress|\.storybook)\//i;
const GENERATED =
  /(^|\/)(dist|build|out|generated|gen|vendor|third[-_]party|node_modules|target)\/|[._-](generated|gen|pb|min)\.[a-z]+$|\.(snap|lock|sum|map|po|pot)$|(^|\/)(package-lock\.json|pnpm-lock\.yaml)$/i;
/** Texts of the product in a language other than English, which is the language of the code itself. */
const TRANSLATED =
  /(^|\/)(?:locales?|i18n|l10n|translations?)\/(?:langs?\/)?(?!en\b)[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?(?:\.[a-z]+|\/[^/]+)$/;
/** Files that build the project, beside the manifests that name its packages. */
const BUILD =
  /(^|\/)(makefile|gnumakefile|justfile|taskfile\.ya?ml|tox\.ini|noxfile\.py|pom\.xml|dockerfile|action\.ya?ml|cmakelists\.txt|configure\.(ac|in)|rakefile)$/i;

/** The purpose of a file, by its path alone. The same files are judged for each name. */
export function fileKind(path: string): FileKind {
  return judged(path, () => judgePath(withoutPackage(path)));
}

const judged = keepLast<FileKind>(50_000);

function judgePath(path: string): FileKind {
  if (isTestPath(path)) return "test";
  if (AUTOMATION.test(path)) return "automation";
  if (EXAMPLE.test(path)) return "example";
  if (GENERATED.test(path)) return "generated";
  if (namesPackages(path) || BUILD.test(path)) return "manifest";
  if (TOOLING.test(path)) return "tooling";
  if (TRANSLATED.test(path)) return "data";
  return isProductPath(path) ? "product" : "data";
}
