/** Folded names below which no file is ever written, at any depth. */
const protectedNames = new Set([".git", ".hg", ".svn", ".jj", ".suture"]);

export function isProtected(folded: string): boolean {
  return protectedNames.has(folded);
}

/** The effect that a change to a file could trigger. Such a change needs a person's consent. */
export type Concern =
  | "continuous integration"
  | "editor or agent settings"
  | "instructions for agents"
  | "hooks"
  | "secrets"
  | "package manifest"
  | "lock file"
  | "build file"
  | "shell or tool settings"
  | "Suture's own settings"
  | "hidden file";

/** The words by which a host gives consent beforehand, and the concern that each means. */
export const consentWords: Readonly<Record<string, Concern>> = {
  manifests: "package manifest",
  locks: "lock file",
  ci: "continuous integration",
  build: "build file",
  settings: "editor or agent settings",
  instructions: "instructions for agents",
  hooks: "hooks",
  shell: "shell or tool settings",
  secrets: "secrets",
};

/** The word by which a host gives consent to a concern. */
export function wordFor(concern: Concern): string {
  return Object.keys(consentWords).find((word) => consentWords[word] === concern) ?? "all";
}

const directories: ReadonlyMap<string, Concern> = new Map(
  Object.entries({
    ".github": "continuous integration",
    ".gitlab": "continuous integration",
    ".circleci": "continuous integration",
    ".buildkite": "continuous integration",
    ".vscode": "editor or agent settings",
    ".idea": "editor or agent settings",
    ".cursor": "editor or agent settings",
    ".claude": "editor or agent settings",
    ".codex": "editor or agent settings",
    ".gemini": "editor or agent settings",
    ".agents": "editor or agent settings",
    ".windsurf": "editor or agent settings",
    ".clinerules": "instructions for agents",
    ".devcontainer": "editor or agent settings",
    ".husky": "hooks",
    ".githooks": "hooks",
    ".ssh": "secrets",
    ".aws": "secrets",
    ".gnupg": "secrets",
    ".kube": "secrets",
    ".docker": "secrets",
    ".azure": "secrets",
    ".gcloud": "secrets",
    ".jolli": "Suture's own settings",
  } satisfies Record<string, Concern>),
);

const files: readonly (readonly [RegExp, Concern])[] = [
  [/^suture\.config\.json$/, "Suture's own settings"],
  [
    /^(kubeconfig|vault|auth|tokens?|(gcp|gcloud|google|firebase|aws|azure)[-_.][^/]*(key|adminsdk|credentials?)[^/]*|[^/]*adminsdk[^/]*|([^/]+[-_.])?secrets?([-_.]enc)?)\.(json|ya?ml|txt|toml)$|^wp-config\.php$|^\.?my\.cnf$/,
    "secrets",
  ],
  [/^(buildspec|cloudbuild|action|codemagic|wercker|shippable|semaphore)\.ya?ml$/, "continuous integration"],
  [
    /^(netlify\.toml|vercel\.json|render\.yaml|fly\.toml|(app|heroku|bitrise)\.ya?ml|railway\.(json|toml)|procfile(\..+)?|wrangler\.(toml|jsonc?))$/,
    "continuous integration",
  ],
  [
    /^(agent|aider|amp|augment|codebuddy|conventions|devin|iflow|jules|junie|kimi|kiro|memory|replit|roo|rules|trae|zed|qwen|warp|opencode|crush|goose|cline|copilot|codex|skill|soul|heartbeat)\.md$|\.(instructions|prompt|chatmode|agent)\.md$|\.mdc$/,
    "instructions for agents",
  ],
  [/^(system[-_]prompt|prompts?|ai[-_](rules|instructions))\.(md|txt)$/, "instructions for agents"],
  [
    /^(hooks|plugin|marketplace|gemini-extension|claude_desktop_config)\.json$|\.code-workspace$|\.sublime-project$/,
    "editor or agent settings",
  ],
  [/^(codeowners|renovate\.json5?|dependabot\.ya?ml|\.?readthedocs\.ya?ml)$/, "continuous integration"],
  [
    /^(conf\.py|mkdocs\.ya?ml|book\.toml|_config\.ya?ml|_quarto\.ya?ml|_bookdown\.ya?ml|antora(-playbook)?\.ya?ml|hugo\.(toml|ya?ml|json)|doxyfile|typedoc\.(json|js)|jsdoc\.json)$/,
    "build file",
  ],
  [/[.-]conf(ig)?\.(c|m)?[jt]s(on)?$|^(sidebars|\.?eleventy|gulpfile|gruntfile)\.(c|m)?[jt]s$/, "build file"],
  [
    /^gradle-wrapper\.properties$|\.(gradle(\.kts)?|props|targets|vcxproj|cmake|mk|mak|nix|tf|proj|gypi?|sbt|rake|pth|zon)$/,
    "build file",
  ],
  [/\.(service|timer|desktop|reg|plist)$|^crontab$|^autorun\.inf$/, "shell or tool settings"],
  [/^(opencode|crush)\.jsonc?$|^llms(-full)?\.txt$/, "instructions for agents"],
  [/^lefthook(-local)?\.(ya?ml|toml|json)$|^(commitlint|lint-staged|husky)\.config\.\w+$/, "hooks"],
  [
    /^(conftest|conanfile|dodo|sitecustomize|usercustomize|noxfile|fabfile|wscript|sconstruct|sconscript)(\.(py|txt))?$/,
    "build file",
  ],
  [
    /^(tox\.ini|mise\.toml|flake\.nix|shell\.nix|default\.nix|devbox\.json|vagrantfile|tiltfile|earthfile|dagger\.json|docker-bake\.(hcl|json)|(build|ivy)\.xml|build\.(zig|sc|mill)|magefile\.go|configure(\.(ac|in))?|makefile\.(am|in))$/,
    "build file",
  ],
  [
    /^(build|module|workspace)(\.bazel)?$|\.(bzl|bazel)$|^(brewfile|snakefile|podfile|fastfile|guardfile|capfile|thorfile)$/,
    "build file",
  ],
  [
    /^(nx|turbo|lerna|rush|project)\.json$|^(settings|init)\.gradle(\.kts)?$|^gradle\.properties$|^mvnw(\.cmd)?$/,
    "build file",
  ],
  [
    /^(.+\.)?env$|^\.env[-_.].+$|^(credentials?|secrets?|service[-_]?account[^/]*)(\.(json|ya?ml|toml|ini|txt|env))?$/,
    "secrets",
  ],
  [
    /\.(tfstate(\.backup)?|tfvars|ppk|kdbx|keytab|ovpn|asc\.key)$|^\.?htpasswd$|^id_(rsa|dsa|ecdsa|ed25519)[._-].+$|^kubeconfig$/,
    "secrets",
  ],
  [
    /^(\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|jenkinsfile(\..+)?|\.?appveyor\.ya?ml)$/,
    "continuous integration",
  ],
  [/^(azure|bitbucket)-pipelines([-_.].+)?\.ya?ml$/, "continuous integration"],
  [/^\.?mcp\.json$/, "editor or agent settings"],
  [/^(agents|claude|gemini|copilot-instructions)(\.[a-z0-9-]+)*\.md$/, "instructions for agents"],
  [/^\.(cursorrules|windsurfrules|clinerules|goosehints|roomodes)$/, "instructions for agents"],
  [/^\.(pre-commit-config\.ya?ml|gitattributes|gitmodules|gitconfig|lfsconfig)$/, "hooks"],
  [/^\.env(\..*)?$/, "secrets"],
  [/^\.(envrc|npmrc|yarnrc(\.yml)?|pypirc|netrc|pgpass|git-credentials|dockercfg)$/, "secrets"],
  [/^id_(rsa|dsa|ecdsa|ed25519)$|\.(pem|key|p12|pfx|jks|keystore)$/, "secrets"],
  [/^(package|composer|deno|jsr|bower)\.jsonc?$/, "package manifest"],
  [
    /^(pyproject|cargo|pipfile)(\.toml)?$|^setup\.(py|cfg)$|^(requirements|constraints).*\.(txt|in)$/,
    "package manifest",
  ],
  [
    /^(environment|shard|pnpm-workspace)\.ya?ml$|^(pixi|uv|poetry|bunfig)\.toml$|^(package\.swift|rebar\.config|dub\.(json|sdl)|vcpkg\.json|dune-project|stack\.yaml|cartfile)$|^(nuget|packages)\.config$/,
    "package manifest",
  ],
  [
    /^(go\.(mod|work)|gemfile|pom\.xml|pubspec\.yaml|mix\.exs)$|\.(gemspec|csproj|fsproj|vbproj|podspec|cabal|opam)$/,
    "package manifest",
  ],
  [/^(package-lock|npm-shrinkwrap)\.json$|^pnpm-lock\.ya?ml$|^bun\.lockb?$|^go\.sum$/, "lock file"],
  [/^(yarn|cargo|poetry|uv|pdm|composer|gemfile|pipfile|deno|flake|mix)\.lock$|^gemfile\.lock$/, "lock file"],
  [
    /^((gnu)?makefile|cmakelists\.txt|justfile|rakefile|meson\.build|build\.rs|build|workspace)$/,
    "build file",
  ],
  [/^(dockerfile|containerfile)(\..*)?$|^(docker-)?compose(\..*)?\.ya?ml$|^taskfile\.ya?ml$/, "build file"],
  [/^(build|settings)\.gradle(\.kts)?$|^gradlew(\.bat)?$|^\.pnpmfile\.cjs$/, "build file"],
  [
    /^\.(bash|zsh|k?sh)(rc|_profile|_login|_logout|env|profile)$|^\.z(login|logout|profile|env)$/,
    "shell or tool settings",
  ],
  [/^\.(profile|inputrc|vimrc|exrc|tmux\.conf|screenrc)$|^config\.fish$/, "shell or tool settings"],
];

/** Hidden files that only list names or format text. Any other hidden file may cause a program to run. */
const harmless =
  /^\.(git(ignore|keep)|keep|gitattributes|editorconfig|nojekyll|mailmap|(docker|npm|prettier|eslint|stylelint|markdownlint|vscode|gcloud|helm|vercel|slug)ignore|markdownlint(\.(jsonc?|ya?ml))?|well-known|changeset|nvmrc|node-version|python-version|ruby-version|tool-versions|codespellrc|cspell\.json|typos\.toml|vale\.ini|lycheeignore|all-contributorsrc)$/;

/**
 * Files in a hidden folder that no program runs. Markdown is not among them: agents take it for instructions in folders
 * that this list does not know.
 */
const inert = /\.(txt|rst|csv|svg|png|jpe?g|gif|webp|ico|pdf|woff2?)$/;

const samples = /\.(example|sample|template|dist|defaults?)$/;

/** Why a write to this file needs consent. Takes the folded names of the path. */
export function concernOf(folded: readonly string[]): Concern | null {
  const last = folded.at(-1) ?? "";
  const directory = folded.find((name) => directories.has(name));
  if (directory !== undefined && isHostDocument(folded))
    return folded.some((name) => instructionFolders.has(name)) ? "instructions for agents" : ownConcern(last);
  if (directory !== undefined) return directories.get(directory) ?? null;
  const isRequirement = folded.at(-2) === "requirements" && /\.(txt|in)$/.test(last);
  const own = isRequirement ? "package manifest" : ownConcern(last);
  if (own !== null || samples.test(last)) return own;
  const isHidden = (name: string): boolean => /^\.[^.]/.test(name) && !harmless.test(name);
  if (!folded.some(isHidden)) return null;
  return isHidden(last) || !inert.test(last) ? "hidden file" : null;
}

const secretFiles = files.flatMap(([pattern, concern]) => (concern === "secrets" ? [pattern] : []));

/**
 * Whether the concern can be `secrets`, the only one that keeps a file from being read. Fewer patterns are compiled for
 * this answer, and a hook reads one file.
 */
export function mayHoldSecrets(folded: readonly string[]): boolean {
  const last = folded.at(-1) ?? "";
  return (
    folded.some((name) => directories.get(name) === "secrets") ||
    secretFiles.some((pattern) => pattern.test(last))
  );
}

/** Folders of code hosts hold documents beside what the host runs. Of its workflows some are pages that an agent runs. */
const hostFolders = new Set([".github", ".gitlab"]);
const instructionFolders = new Set([
  "instructions",
  "prompts",
  "chatmodes",
  "agents",
  "skills",
  "workflows",
  "aw",
  "copilot",
]);

function isHostDocument(folded: readonly string[]): boolean {
  const others = folded.slice(0, -1).filter((name) => directories.has(name) && !hostFolders.has(name));
  return others.length === 0 && /\.(?:md|rst|txt)$/.test(folded.at(-1) ?? "");
}

/** Why a file needs consent by its own name. */
function ownConcern(last: string): Concern | null {
  const concern = files.find(([pattern]) => pattern.test(last))?.[1] ?? null;
  return concern === "secrets" && samples.test(last) ? null : concern;
}
