import { HOST_FOLDERS } from "../../syntax/code-hosts.ts";
import { isSourcePath } from "../../syntax/file-kinds.ts";
import { CLASS_FILES } from "../../syntax/languages/registry.ts";

const TEST_FILE =
  /(^|\/)(tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|__snapshots__|snapshots|testdata|test[-_]data|testing|mocks?|__mocks__|benchmarks?|bench|benches|playgrounds?|integration[-_]tests?|fuzz|testlib|test-utils|test-d|(unit|func|functional|integration|android|jvm|common|smoke|acceptance)-?tests?|[\w.]+\.\w*tests?)\/|[._-](tests?|specs?|bench|snap|stories|e2e|test-d)\.[a-z]+$|(^|\/)(test_[^/]+|conftest\.py|tests?\.[a-z]+)$|_test\.[a-z]+$/i;
const TEST = new RegExp(`${TEST_FILE.source}|Tests?\\.(?:${CLASS_FILES.join("|")})$`, "i");

const ASIDE_FOLDER =
  /examples?|samples?|demos?|sandbox(es)?|scripts?|docs?|docs_src|documentation|website|site|www|book|guide|\.circleci|\.vitepress|\.vuepress|ci|hack|tools\/internal|xtask/;
const ASIDE = new RegExp(`(^|\\/)(?:${HOST_FOLDERS}|${ASIDE_FOLDER.source})\\/|^contrib\\/`, "i");

const PACKAGE = /((?:^|\/)src\/(?:main|\w+Main)\/\w+\/)(?:[^/]+\/)+/;

/** Folders below a source root of Java are the words of a package: `org/example` holds no examples. */
export function withoutPackage(path: string): string {
  return path.replace(PACKAGE, "$1");
}

/** Files that use the product, such as tests and examples. A name in them is not proof that the product still has it. */
export function isTestPath(path: string): boolean {
  return TEST.test(withoutPackage(path));
}

/** Whether a name in this file can be part of the project's surface. */
export function isLivingPath(path: string): boolean {
  return !isAside(path) && !/\.(tmpl|tpl|template|j2|erb|hbs|ejs)$/i.test(path);
}

/** Source of the product itself: neither tests, nor examples, nor the machinery around it. */
export function isProductPath(path: string): boolean {
  return isSourcePath(path) && !isAside(path);
}

function isAside(path: string): boolean {
  const own = withoutPackage(path);
  return TEST.test(own) || ASIDE.test(own);
}
