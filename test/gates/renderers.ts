import { spawnSync } from "node:child_process";

/** A program that makes HTML of a page, as a site builder starts it: files and raw HTML of the page are allowed. */
export type Renderer = {
  readonly program: string;
  readonly endings: readonly string[];
  readonly args: readonly string[];
};

export const renderers: readonly Renderer[] = [
  { program: "pandoc", endings: ["md", "qmd"], args: ["--from=markdown", "--to=html", "--standalone"] },
  {
    program: "asciidoctor",
    endings: ["adoc"],
    args: ["-S", "unsafe", "-a", "allow-uri-read", "-o", "-", "-"],
  },
  { program: "rst2html", endings: ["rst"], args: ["--quiet", "--report=5", "--halt=5"] },
  { program: "groff", endings: ["1"], args: ["-U", "-man", "-Tutf8"] },
];

/** Why a renderer cannot be tried here; `null`: it is there. */
export function whyWithout({ program }: Renderer): string | null {
  return spawnSync(program, ["--version"]).error === undefined ? null : `${program} is not installed`;
}

/** What the program makes of a text, started in this folder. It may end with an error: then nothing is shown. */
export function render({ program, args }: Renderer, text: string, folder: string): string {
  const { stdout, stderr } = spawnSync(program, args, {
    input: text,
    cwd: folder,
    encoding: "utf8",
    timeout: 20_000,
    env: { PATH: process.env.PATH, HOME: folder, http_proxy: "http://127.0.0.1:9" },
  });
  return `${stdout}\n<!-- ${stderr.replaceAll("-->", "")} -->`;
}
