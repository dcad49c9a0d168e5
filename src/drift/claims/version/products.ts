/** The name that manifests give a product, by the words of a page in small letters. */
export function productOf(word: string): string | undefined {
  return PRODUCTS.get(word.toLowerCase());
}

/** The words by which pages call a product. */
export function wordsFor(product: string): string[] {
  return [...PRODUCTS].flatMap(([word, name]) => (name === product ? [word] : []));
}

const SPELLINGS: Readonly<Record<string, string>> = {
  node: "node node.js nodejs",
  npm: "npm",
  pnpm: "pnpm",
  yarn: "yarn",
  bun: "bun",
  vscode: "vscode",
  python: "python cpython",
  go: "go golang",
  rust: "rust rustc msrv",
  ruby: "ruby rubies mri cruby",
  php: "php",
  java: "java jdk openjdk jre",
  dotnet: ".net",
  elixir: "elixir",
  cmake: "cmake",
  terraform: "terraform",
  postgres: "postgres postgresql",
  mysql: "mysql",
  mariadb: "mariadb",
  redis: "redis",
  valkey: "valkey",
  mongo: "mongodb mongo",
  elasticsearch: "elasticsearch",
  opensearch: "opensearch",
  rabbitmq: "rabbitmq",
  nginx: "nginx",
  memcached: "memcached",
  alpine: "alpine",
  debian: "debian",
  ubuntu: "ubuntu",
};

const PRODUCTS: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLINGS).flatMap(([product, words]) => words.split(" ").map((word) => [word, product])),
);
