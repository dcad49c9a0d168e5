import type { Sample } from "./looked.ts";

/** Small projects to begin with. */
export const examples: readonly Sample[] = [
  {
    title: "A default and a name",
    codePath: "src/client.ts",
    pagePath: "docs/client.md",
    before: `export type Options = { timeout?: number };

/** Opens a connection. */
export function openSocket(host: string, { timeout = 30 }: Options = {}) {
  return { host, timeout };
}

export const MAX_RETRIES = 3;
`,
    after: `export type Options = { timeout?: number };

/** Opens a connection. */
export function openChannel(host: string, { timeout = 60 }: Options = {}) {
  return { host, timeout };
}

export const MAX_RETRIES = 3;
`,
    page: `# Client

Call \`openSocket(host)\` first. The \`timeout\` option defaults to \`30\`.

| Option | Default |
| --- | --- |
| \`timeout\` | \`30\` |

A failed request is sent again; \`MAX_RETRIES\` is 3.
`,
  },
  {
    title: "A command's flag",
    codePath: "cli.py",
    pagePath: "README.md",
    before: `import argparse

parser = argparse.ArgumentParser(prog="ship")
parser.add_argument("--dry-run", action="store_true", help="change nothing")
parser.add_argument("--retries", type=int, default=3, help="how often to try")
`,
    after: `import argparse

parser = argparse.ArgumentParser(prog="ship")
parser.add_argument("--preview", action="store_true", help="change nothing")
parser.add_argument("--retries", type=int, default=5, help="how often to try")
`,
    page: `# ship

    ship --dry-run

\`--dry-run\` changes nothing. \`--retries\` says how often it tries (default: 3).
`,
  },
  {
    title: "A variable is gone",
    codePath: "config.go",
    pagePath: "docs/setup.md",
    before: `package config

import "os"

// DefaultPort is where the server listens.
const DefaultPort = 8080

func Token() string { return os.Getenv("APP_TOKEN") }
`,
    after: `package config

import "os"

// DefaultPort is where the server listens.
const DefaultPort = 8080

func Token() string { return os.Getenv("APP_API_TOKEN") }
`,
    page: `# Setup

Set \`APP_TOKEN\`. The server listens on port 8080 by default (\`DefaultPort\`).
`,
  },
];
