import { LANGUAGES } from "../../../syntax/languages/registry.ts";
import type { HarmfulCommand } from "./harmful.ts";
import { commandsOf, linesOf } from "./read-commands.ts";

/**
 * Commands that run what the same text fetches: a download into a pipe whose reader is not known to be harmless, and a
 * file that one command fetches and a later one runs, installs or makes executable, however many lines lie between.
 */
export function findFetchedAndRun(text: string): HarmfulCommand[] {
  const found: HarmfulCommand[] = [];
  /** The names of fetched files, each with the command that fetches it. */
  const files = new Map<string, string>();
  /** The command that unpacked a download, and how many lines ago. */
  let unpacked: { readonly by: string; age: number } | null = null;
  for (const line of linesOf(text)) {
    let source: string | null = null;
    if (/^[`~]{3}/.test(line) || (unpacked !== null && ++unpacked.age > mostLinesBetween)) unpacked = null;
    if (files.size === 0 && unpacked === null && !MAY_FETCH.test(line)) continue;
    for (const { words, isPiped, path } of commandsOf(line)) {
      const [head = ""] = words;
      if (!isPiped) source = null;
      if (source !== null && !isHarmlessReader(words)) found.push(harm(source, words));
      if (isFetching(words)) {
        source = words.join(" ");
        if (words.some((word, at) => OUTPUT.test(words[at - 1] ?? "") && isSystemPlace(word)))
          found.push(harm("", words));
      }
      const run = fileRunBy(words, files);
      // A tool that the reader has fetched and run already may get other arguments.
      if (run !== undefined)
        found.push({ ...harm(files.get(run)!, words), key: `${files.get(run)} … ${run}` });
      if (unpacked !== null && (isProgramBeside(path) || BUILDERS.test(head)))
        found.push(harm(unpacked.by, words));
      if (UNPACKERS.test(head) && (source !== null || words.some((word) => files.has(nameOf(word)))))
        unpacked = { by: words.join(" "), age: 0 };
      if (ADDRESS_RUNNERS.test(head) && hasProgramAddress(words)) found.push(harm("", words));
      if (source !== null) for (const name of outputsOf(words)) files.set(name, source);
    }
  }
  return found;
}

/** A line without any of these fetches nothing and takes no address. Most lines of a page are such lines. */
const MAY_FETCH =
  /https?:\/\/|\b(?:curl|wget2?|iwr|irm|invoke-|aria2c|axel|https?|httpie|xh|fetch|lynx|scp|sftp|rsync|gsutil|aws|start-bits|t?ftp)/i;

const UNPACKERS = /^(?:tar|bsdtar|unzip|funzip|7z|gunzip|unxz|unzstd|cpio|expand-archive)$/;
const mostLinesBetween = 12;

/** Programs that run what lies in the folder they are called in, or the file they are given. */
const BUILDERS = /^(?:make|cmake|ninja|(?:ba|z|da|k)?sh|python[0-9.]*|pip[0-9.]*|node|npm|perl|ruby)$/;

/** A program that is named by a path: `./install.sh`, `tool/bin/setup`, `/opt/tool/setup`. */
function isProgramBeside(path: string): boolean {
  return /^(?:\.{1,2}[\\/]\S|\/?[\w.-]+[\\/][\w./\\-]*\w$)/.test(path);
}

function harm(source: string, words: readonly string[]): HarmfulCommand {
  const text = [source, words.join(" ")].filter((part) => part !== "").join(" … ");
  return { what: "runs what it fetches", text: text.slice(0, 400), key: text };
}

const FETCHERS =
  /^(?:curl|wget2?|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|axel|https?|httpie|xh|fetch|lynx|scp|sftp|rsync|gsutil|start-bitstransfer|ftp|tftp)$/;

function isFetching(words: readonly string[]): boolean {
  const [head = "", ...rest] = words;
  if (head === "aws" || head === "gsutil") return rest.some((word) => /^(?:s3|gs):\/\//.test(word));
  return FETCHERS.test(head) && rest.some((word) => /:\/\/|^[\w-]+(?:\.[\w-]+)+[:/]|@[\w.-]+:/.test(word));
}

/** The files that a command writes: its output option, a redirection, and the last part of an address. */
function outputsOf(words: readonly string[]): string[] {
  const names = words.flatMap((word, at) => {
    if (/^(?:-o|-O|-of|--output(?:-document)?|-outfile|>|>>|save|out-file|tee)$/i.test(word))
      return [words[at + 1] ?? ""];
    const [, joined] = /^(?:--output(?:-document)?=|of=|>>?)(.+)$/.exec(word) ?? [];
    return [joined ?? (/^[a-z]+:\/\//i.test(word) ? word.replace(/[?#].*$/, "") : "")];
  });
  return names.map(nameOf).filter((name) => name.length > 0 && name !== "-" && !name.startsWith("$"));
}

/** The last part of a path in lower case. */
function nameOf(path: string): string {
  return path
    .replace(/(?<![\\/])[\\/]+$/, "")
    .replace(/^.*[\\/=@]/, "")
    .toLowerCase()
    .replace(/\.exe$/, "");
}

/** The fetched file that a command is, runs, installs or makes executable. */
function fileRunBy(words: readonly string[], files: ReadonlyMap<string, string>): string | undefined {
  if (files.size === 0) return undefined;
  const [head = "", ...rest] = words;
  if (files.has(head) && !FETCHERS.test(head)) return head;
  if (!RUNNERS.test(head)) return undefined;
  return rest.map(nameOf).find((name) => files.has(name));
}

/** Programs that run a file in their language. */
const LANGUAGE_PROGRAMS = LANGUAGES.flatMap(({ programs }) => (programs ? [programs.source] : []));

/** Other programs that run, install, open or prepare a file that they are given. */
const OTHER_PROGRAMS =
  /(?:ba|z|da|k|a|tc|c|fi|pw)?sh|powershell|nu|elvish|xonsh|busybox|cmd|source|\.|rscript|r|julia|tclsh|osascript|wscript|cscript|mshta|msiexec|start|start-process|saps|open|xdg-open|explorer|rundll32|regsvr32|dpkg|rpm|apt|apt-get|dnf|yum|apk|pacman|zypper|snap|installer|brew|pip[0-9.]*|pipx|uv|gem|npm|npx|docker|podman|kubectl|helm|make|psql|mysql|sqlite3|insmod|crontab|at|batch|systemctl|launchctl|chmod|install|eval|iex|invoke-expression|import-module|ansible-playbook|nix-env|nix-shell/;

const RUNNERS = new RegExp(`^(?:${[...LANGUAGE_PROGRAMS, OTHER_PROGRAMS.source].join("|")})$`);

/** Options and marks behind which the place of an output stands. */
const OUTPUT = /^(?:-[a-zA-Z]*[oOP]|--output(?:-document)?|--directory-prefix|>|>>)$/;

/** Programs that only read, change the form of, or store what they are given. */
const READERS =
  /^(?:jq|yq|gron|fx|grep|egrep|fgrep|rg|head|tail|less|more|cat|bat|sort|uniq|wc|cut|tr|sed|awk|gawk|tee|tar|bsdtar|gunzip|gzip|zcat|bunzip2|bzip2|xz|unxz|zstd|unzip|funzip|cpio|base64|sha\d*sum|shasum|md5sum|md5|openssl|gpg|xmllint|tidy|pup|htmlq|column|fold|fmt|iconv|dd|pv|diff|cmp|hexdump|xxd|od|strings|file|pbcopy|clip|xclip|wl-copy|convertfrom-json|convertto-json|select-object|select-string|out-file|set-content|format-table|format-list|where-object|sort-object|measure-object|out-null|out-host|save|get|select|where|csvlook|mlr|dasel|html2text|pandoc|glow)$/;

function isHarmlessReader(words: readonly string[]): boolean {
  const [head = "", ...rest] = words;
  if (/^python[0-9.]*$/.test(head)) return rest[0] === "-m" && rest[1] === "json.tool";
  // A program or a script that comes through the pipe.
  if (
    /^(?:[gmn]?awk|sed|jq|yq)$/.test(head) &&
    rest.some((word) => /^(?:-\w*f\w*|--(?:from-)?file\b.*|-|\/dev\/stdin)$/.test(word))
  )
    return false;
  if (/^[gmn]?awk$/.test(head)) return !rest.some((word) => /system|getline|\|/.test(word));
  if (head === "sed") return !rest.some((word) => /(?:^|[\d;$/])e(?:$|[\s;])/.test(word));
  if (/^(?:tee|dd|cpio|tar|bsdtar|unzip|out-file|set-content)$/.test(head)) return !rest.some(isSystemPlace);
  return READERS.test(head) || FETCHERS.test(head);
}

/** A folder from which a system or a shell starts programs by itself. */
function isSystemPlace(word: string): boolean {
  return /^(?:of=|-C|--directory=)?["']?(?:\/(?:usr|bin|sbin|etc|opt|lib|boot|root|Library|System)(?:\/|$)|\/$|(?:~|\$\{?HOME\}?)\/(?:\.|bin\b)|\$\{?PATH)/.test(
    word,
  );
}

/** Programs that take the address of a program, a package or a description of what is to run. */
const ADDRESS_RUNNERS =
  /^(?:groovy|jbang|rscript|r|julia|wscript|cscript|mshta|msiexec|start|start-process|saps|rpm|dnf|yum|pacman|zypper|kubectl|docker|podman|docker-compose|nix-env|nix-shell|import-module|nu|uv|pipx|brew|installer|ansible-playbook|deno|bun|node|vim?|nvim|emacs)$/;

function hasProgramAddress(words: readonly string[]): boolean {
  const [head = "", ...rest] = words;
  const addresses = rest.filter((word) => /https?:\/\//i.test(word));
  if (addresses.length === 0) return false;
  // These open pages of the web too.
  if (/^(?:start|start-process|saps)$/.test(head))
    return addresses.some((word) => /\.(?:exe|msi|ps1|bat|cmd|vbs|js|hta)$/i.test(word));
  if (/^(?:kubectl|docker|podman|docker-compose)$/.test(head))
    return (
      rest.some(
        (word, at) =>
          /^(?:-f|-k|--filename|--file|--kustomize)$/.test(word) && /^https?:/i.test(rest[at + 1] ?? ""),
      ) || rest.some((word) => /^(?:--file(?:name)?|-f)=?https?:/i.test(word))
    );
  if (/^(?:vim?|nvim|emacs)$/.test(head)) return rest.some((word) => /^(?:-c|--eval|\+.*)$/.test(word));
  if (/^(?:uv|pipx|deno|bun)$/.test(head)) return rest[0] === "run";
  if (head === "brew") return rest[0] === "install";
  if (/^(?:rpm|dnf|yum|pacman|zypper)$/.test(head))
    return rest.some((word) => /^(?:-\w*[iU]\w*|install|--install|in|--upgrade)$/.test(word));
  return true;
}
