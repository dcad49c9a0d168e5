import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import type { Comparison, LinePair } from "../change/comparison.ts";
import type { Notice } from "../findings.ts";

/** The oldest version of a toolchain the project works with, before and after. */
type Pin = {
  readonly product: RegExp;
  readonly old: string;
  readonly new: string;
  readonly path: string;
  readonly pair: LinePair;
};

type ManifestField = { readonly file: RegExp; readonly line: RegExp; readonly product: RegExp };

/** Where manifests say which version of a toolchain they need. */
export const FIELDS: readonly ManifestField[] = [
  { file: /(^|\/)package\.json$/, line: /"node"\s*:\s*"[^"]*?(\d+(?:\.\d+)*)/, product: /node(?:\.js|js)?/ },
  { file: /(^|\/)package\.json$/, line: /"npm"\s*:\s*"[^"]*?(\d+(?:\.\d+)*)/, product: /npm/ },
  { file: /(^|\/)\.nvmrc$/, line: /^v?(\d+(?:\.\d+)*)/, product: /node(?:\.js|js)?/ },
  {
    file: /(^|\/)(pyproject\.toml|setup\.cfg|setup\.py)$/,
    line: /(?:requires-python|python_requires)\s*=\s*["']?[^\d]*(\d+(?:\.\d+)*)/,
    product: /python/,
  },
  { file: /(^|\/)pyproject\.toml$/, line: /^python\s*=\s*["'][^\d]*(\d+(?:\.\d+)*)/, product: /python/ },
  {
    file: /(^|\/)Cargo\.toml$/,
    line: /^rust-version\s*=\s*"(\d+(?:\.\d+)*)/,
    product: /rust(?:c| compiler)?|msrv/,
  },
  { file: /(^|\/)go\.mod$/, line: /^go\s+(\d+(?:\.\d+)*)/, product: /go(?:lang)?/ },
  { file: /\.gemspec$/, line: /required_ruby_version[^\d]*(\d+(?:\.\d+)*)/, product: /ruby/ },
  { file: /(^|\/)composer\.json$/, line: /"php"\s*:\s*"[^\d]*(\d+(?:\.\d+)*)/, product: /php/ },
];

/** Words for a minimum version. */
export const AT_LEAST = />=|≥|or (?:later|newer|higher|above|greater)|\d\+|minimum|at least|requires?|msrv/i;

/**
 * A manifest asks for a newer toolchain, and a document names the product with the old version.
 * Likely if the words call it the minimum; a candidate if they only name it.
 */
export async function findVersions(change: ChangeModel): Promise<Notice[]> {
  const pins = change.comparisons.flatMap(findPins);
  return pins.flatMap((pin) => {
    const speaksFor = createReach(pin.path, change.input.tree);
    return change.pages
      .filter((page) => speaksFor(page.path))
      .flatMap((page) => findStated(change, page, pin));
  });
}

/** A manifest applies to the pages of its folder; the only one of its name applies to all pages. */
function createReach(manifest: string, tree: readonly string[]): (page: string) => boolean {
  const at = manifest.lastIndexOf("/") + 1;
  const [folder, name] = [manifest.slice(0, at), manifest.slice(at)];
  const isOnly = !tree.some((path) => path !== manifest && (path === name || path.endsWith(`/${name}`)));
  return (page) => isOnly || page.startsWith(folder);
}

function findPins({ path, rewrites }: Comparison): Pin[] {
  const fields = FIELDS.filter(({ file }) => file.test(path));
  if (!fields.length) return [];
  return rewrites
    .flatMap(({ pairs }) => pairs)
    .flatMap((pair) =>
      fields.flatMap(({ line, product }) => {
        const old = line.exec(pair.old.text.trim())?.[1];
        const fresh = line.exec(pair.new.text.trim())?.[1];
        return old && fresh && !isSameVersion(old, fresh) ? [{ product, old, new: fresh, path, pair }] : [];
      }),
    );
}

/** `1.22` and `1.22.0` ask for the same. */
export function isSameVersion(one: string, other: string): boolean {
  const plain = (version: string): string => version.replace(/(?:\.0+)+$/, "");
  return plain(one) === plain(other);
}

/** Finds a product with a version behind its name. */
export function statedVersion(product: RegExp, version: string): RegExp {
  return new RegExp(
    `\\b(?:${product.source})\\b[^\\w\\n]{0,6}(?:version\\s+|v)?(?:>=|≥|\\^|~)?\\s?v?(?<version>${version})(?![\\w]|\\.\\d)`,
    "gi",
  );
}

/** Whether the page has words for older versions too: it tells two cases apart, and both stay true. */
function tellsApart({ text }: DocumentPage, { product, old }: Pin): boolean {
  const version = old.replace(/\./g, "\\.");
  const older = `(?:<|before|below|older than|prior to|up to|earlier than)\\s?(?:version\\s)?v?${version}`;
  return new RegExp(`\\b(?:${product.source})\\b[^\\w\\n]{0,6}${older}(?!\\w|\\.\\d)`, "i").test(text);
}

function findStated(change: ChangeModel, page: DocumentPage, pin: Pin): Notice[] {
  if (!page.text.includes(pin.old) || tellsApart(page, pin)) return [];
  const stated = statedVersion(pin.product, pin.old.replace(/\./g, "\\."));
  const notices: Notice[] = [];
  page.read().lines.forEach(({ text, start }, line) => {
    if (!text.includes(pin.old)) return;
    for (const match of text.matchAll(stated)) {
      const at = start + match.index + match[0].length - pin.old.length;
      notices.push({
        page,
        line,
        endLine: line,
        tier: AT_LEAST.test(text) ? "likely" : "possible",
        kind: "version",
        message: { what: "version", old: pin.old, new: pin.new },
        features: { "version demanded": AT_LEAST.test(text) ? 1 : 0 },
        evidence: [
          {
            path: pin.path,
            revision: change.input.head,
            startLine: pin.pair.new.number,
            endLine: pin.pair.new.number,
            before: pin.pair.old.text,
            after: pin.pair.new.text,
          },
        ],
        splice: { region: { start: at, end: at + pin.old.length }, text: pin.new },
      });
    }
  });
  return notices;
}
