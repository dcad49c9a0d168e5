import { resolveReferences } from "../normalise.ts";
import { findFetchedAndRun } from "./fetched-and-run.ts";
import { findIrreversible } from "./irreversible.ts";
import { findRemovals } from "./removals.ts";

/** A command that harms a reader who copies it, and what it does. Two commands with the same key do the same. */
export type HarmfulCommand = { readonly what: string; readonly text: string; readonly key: string };

/** Commands of a text that run what they fetch, hide what they run, or destroy files. */
export function findHarmfulCommands(text: string): HarmfulCommand[] {
  // A line that ends in a backslash, a backtick or a pipe goes on below.
  const joined = resolveReferences(text)
    .replace(/(?:\\|`|\^)[ \t]*\r?\n[ \t>]*/g, " ")
    .replace(/(\||&&)[ \t]*\r?\n[ \t>]*/g, "$1 ");
  const bare = withoutQuoting(joined);
  const texts = bare === joined ? [joined] : [joined, bare];
  return texts.flatMap((read) => [
    ...shapes.flatMap(({ what, shape }) =>
      Array.from(read.matchAll(shape), ([found]) => ({ what, text: found.trim(), key: found.trim() })),
    ),
    ...findRemovals(read).map((found) => ({ what: destroys, text: found, key: found })),
    ...findFetchedAndRun(read),
    ...findIrreversible(read),
  ]);
}

/** Words as a shell reads them: `c\\url`, `cu''rl` and `"bash"` are the bare words. */
function withoutQuoting(text: string): string {
  return text
    .replace(/(?<=\w)\\(?=\w)|(?<=\w)(?:''|"")(?=\w)/g, "")
    .replace(/(?<=[\s|;&(])(["'])([\w./-]+)\1(?=[\s|;&)]|$)/gm, "$2");
}

const fetcher =
  "(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|lwp-request|lynx|axel|httpie?|xh|ncat?|netcat|socat|telnet|ftp|tftp|scp|sftp|rsync|gsutil|aws\\s+s3|ssh)";
const runner =
  "(?:(?:ba|z|da|k|a|tc|c|fi|pw|power)?sh|iex|invoke-expression|python[0-9.]*|py|node|nodejs|deno|bun|perl|ruby|php|lua|tclsh|osascript|source|eval|cmd(?:\\.exe)?|psql|mysql|\\$\\{?SHELL\\}?)";
const before =
  "(?:(?:sudo|doas|env|nohup|exec|time|command|xargs|tee\\s+\\S+\\s*\\|)\\s+(?:-\\S+\\s+|\\w+=\\S*\\s+){0,20}){0,20}";

const fetches = "runs what it fetches";
const hides = "hides what it runs";
const destroys = "destroys files";
const sends = "sends files or variables away";
const settles = "makes itself run again";

const settlesMore =
  /\bchpasswd\b|\busermod\s+[^\n]{0,40}-\w*G|\bnet\s+user\s+\S+\s+\S+\s+\/add\b|\b(?:npm|pnpm|yarn)\s+(?:config\s+)?set\s+\S{0,80}(?:registry|_auth\w*|strict-ssl|script-shell|node-options)\b|\bpip[0-9.]*\s+config\s+(?:--\w+\s+)?set\s+\S{0,40}(?:index-url|trusted-host)/gi;

/** Code that makes a program of what it fetches. */
const evaluates =
  /\b(?:eval|exec|Function|execSync|spawnSync|system|loadstring|load|runInThisContext|runInNewContext|compile)\s*\([^\n]{0,120}\b(?:fetch|urlopen|urllib|requests\.\w+|httpx\.\w+|axios|got|file_get_contents|https?\.get|open-uri|URI\.open|curl|wget)\b[^\n]{0,80}|\b(?:import|importScripts|require)\s*\(\s*["'`]https?:[^\n]{0,100}|\bfrom\s+["'`]data:[^\n]{0,60}/g;

const shapes: readonly { readonly what: string; readonly shape: RegExp }[] = [
  { what: settles, shape: settlesMore },
  { what: fetches, shape: evaluates },
  // curl … | sudo sh
  {
    what: fetches,
    shape: new RegExp(
      `\\b${fetcher}\\b[^\\n]{0,400}?\\|&?\\s*${before}(?:/\\S*/)?${runner}(?!\\w)[^\\n]{0,60}`,
      "gi",
    ),
  },
  // sh <(curl …), source <(…), sh -c "$(curl …)", eval `wget …`
  {
    what: fetches,
    shape: new RegExp(
      `(?:\\b${runner}|(?:^|[\\s;&|])\\.)\\s+[^\\n]{0,60}?(?:<\\(|\\$\\(|\`)\\s*${before}${fetcher}\\b[^\\n]{0,200}`,
      "gim",
    ),
  },
  {
    what: fetches,
    shape: new RegExp(
      `(?:^|[\\s;&|"'])(?:\\$\\(|\`)\\s*${fetcher}\\s+[^\\n]{0,200}?(?:https?:|//)[^\\n]{0,100}(?:\\)|\`)`,
      "gim",
    ),
  },
  // curl -o x … && sh x
  {
    what: fetches,
    shape: new RegExp(
      `\\b${fetcher}\\b[^\\n]{0,300}?(?:&&|;)\\s*${before}(?:chmod\\s+\\S+\\s+\\S+\\s*(?:&&|;)\\s*)?${before}(?:${runner}\\s+\\S*[\\w/.]|\\.\\s+\\.?/?\\w|\\./\\S)[^\\n]{0,60}`,
      "gi",
    ),
  },
  // python -c "… urlopen …", node -e "fetch…"
  {
    what: fetches,
    shape:
      /\b(?:python[0-9.]*|py|node|nodejs|deno|bun|perl|ruby|php|osascript|pwsh|powershell)(?:\.exe)?\s+(?:\S+\s+){0,4}?-{1,2}[a-z]*(?:[cer]|eval|command|exec)\b[^\n]{0,200}?(?:urlopen|urllib|requests?\b|httpx?\b|https?:|fetch|open-uri|lwp|file_get_contents|socket|child_process|exec\s*\(|system\s*\(|popen|eval\b|net\.webclient|downloadstring|downloadfile|\biex\b)[^\n]{0,100}/gi,
  },
  {
    what: fetches,
    shape:
      /\b(?:iex|invoke-expression)\b[^\n]{0,200}|\b(?:downloadstring|downloadfile|start-bitstransfer|net\.webclient)\b[^\n]{0,100}/gi,
  },
  {
    what: fetches,
    shape:
      /\b(?:certutil\s+[^\n]{0,60}-urlcache|bitsadmin\s+\/transfer|mshta\s+(?:https?|javascript|vbscript):|regsvr32\s+[^\n]{0,60}\/i:https?:|rundll32\s+javascript:)[^\n]{0,100}/gi,
  },
  {
    what: fetches,
    shape:
      /\/dev\/(?:tcp|udp)\/[^\n]{1,100}|\bn(?:c|cat|etcat)\b[^\n]{0,60}\s-[a-z]*[ec]\s[^\n]{0,60}|\bbash\s+-i\s+>&[^\n]{0,60}/gi,
  },
  {
    what: hides,
    shape:
      /\bbase(?:64|32)\s+(?:-[dD]|--decode)\b[^\n]{0,100}|\bxxd\s+-r\b[^\n]{0,80}\|[^\n]{0,80}|\bopenssl\s+(?:enc|base64)\b[^\n]{0,80}\s-d\b[^\n]{0,80}/gi,
  },
  {
    what: hides,
    shape:
      /\s-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/]{40,}={0,2}|\bfrombase64string\b[^\n]{0,80}|\batob\s*\([^\n]{0,80}/gi,
  },
  {
    what: destroys,
    shape:
      /\bsudo\s+(?:\S+\s+){0,3}?rm\b[^\n]{0,80}|\b(?:mkfs(?:\.\w+)?|wipefs|shred)\s+[^\n]{0,60}|\bdd\s+[^\n]{0,80}\bof=\/dev\/[^\n]{0,40}/gi,
  },
  {
    what: destroys,
    shape:
      />\s*\/dev\/(?:sd|nvme|hd|vd)[a-z0-9]*|\bchmod\s+-R\s+\S+\s+\/(?:\s|$)|:\s*\(\s*\)\s*\{[^\n]{0,20}\|[^\n]{0,20}&[^\n]{0,10}\}|\b(?:format|del)\s+(?:\/\S+\s+){0,20}[A-Z]:[^\n]{0,20}|\bRemove-Item\b[^\n]{0,60}-Recurse[^\n]{0,60}(?:[A-Z]:|\/|~|\$)/gim,
  },
  // curl … | tee >(sh), deno run https://…
  {
    what: fetches,
    shape: new RegExp(
      `\\b${fetcher}\\b[^\\n]{0,300}?>\\(\\s*${before}${runner}\\b[^\\n]{0,40}|\\b(?:deno\\s+run|node|bun(?:\\s+run)?|npx|bunx|pnpm\\s+dlx)\\s+(?:-\\S+\\s+){0,20}https?://\\S{1,100}`,
      "gi",
    ),
  },
  {
    what: fetches,
    shape:
      /\b(?:powershell|pwsh)(?:\.exe)?\s[^\n]{0,80}-e(?:p|x\w*)\s+bypass\b[^\n]{0,60}|\bgit\s+[^\n]{0,40}\bext::[^\n]{0,60}/gi,
  },
  {
    what: sends,
    shape:
      /\b(?:env|printenv|set|cat\s+\S*(?:\.ssh|\.aws|\.env|\.netrc|\.npmrc|credentials|id_[a-z0-9]+)\S*)\s*\|[^\n]{0,80}\b(?:curl|wget|nc|ncat|netcat|socat|telnet)\b[^\n]{0,80}/gi,
  },
  {
    what: sends,
    shape:
      /\b(?:curl|wget|scp|rsync|nc|ncat)\b[^\n]{0,120}(?:@|\s|=|<)["']?(?:~|\$\{?HOME\}?|\/home\/\w+|\/root)?\/?(?:\.ssh\/|\.aws\/|\.netrc|\.npmrc|\.docker\/|\.kube\/|\.gnupg\/|\.config\/gh)[^\n]{0,80}/gi,
  },
  // Programs that PowerShell makes of a fetched text, and a shell of a decoded one.
  {
    what: fetches,
    shape:
      /\[scriptblock\][^\n]{0,80}|(?:[&.]|\bAdd-Type\b[^\n]{0,60}|=)\s*\(+\s*(?:irm|iwr|invoke-webrequest|invoke-restmethod|curl|wget)\b[^\n]{0,100}|\b(?:irm|iwr|invoke-webrequest|invoke-restmethod)\b[^\n]{0,200};\s*&\s*\$[^\n]{0,40}|\bSet-ExecutionPolicy\s+(?:-\S+\s+){0,20}(?:Bypass|Unrestricted)\b[^\n]{0,60}/gi,
  },
  {
    what: fetches,
    shape:
      /\b(?:fish|nu|xonsh|elvish)\s+-c\s+["']?\((?:curl|wget|http)\b[^\n]{0,100}|\b(?:rscript|r|julia)\s+(?:-\S+\s+){0,20}-e\s[^\n]{0,60}https?:[^\n]{0,100}|\b(?:g?awk|sed)\s[^\n]{0,200}\b(?:curl|wget)\s[^\n]{0,100}|\bfind\s[^\n]{0,100}-exec\s+\S*sh\s+-c[^\n]{0,60}\b(?:curl|wget)\b[^\n]{0,60}|--checkpoint-action\b[^\n]{0,60}/gi,
  },
  {
    what: hides,
    shape:
      /\b(?:printf|echo|rev|tr|xxd|openssl)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da|k|a|tc|c)?sh\b[^\n]{0,40}|\bcertutil\s+-decode\b[^\n]{0,60}/gi,
  },
  {
    what: sends,
    shape:
      /\b(?:curl|wget|nc|ncat|netcat|scp|rsync|dig|nslookup|host|ping)\b[^\n]{0,160}(?:\$\(\s*(?:cat|env|printenv|whoami|id|hostname|gh|git|base64|security|pass)\b|`(?:cat|env|whoami|id|hostname)\b|@\S{0,60}\.env\b|--post-file|\/etc\/(?:passwd|shadow))[^\n]{0,80}/gi,
  },
  {
    what: sends,
    shape:
      /(?:\bauth\s+token|\btoken\s+list|\bprint-access-token|\bget-login-password|(?:~|\$\{?HOME\}?)\/\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc))[^\n|]{0,60}\|[^\n]{0,80}\b(?:curl|wget|nc|ncat|netcat|socat)\b[^\n]{0,80}|\bgist\s+create\b[^\n]{0,60}(?:~|\$\{?HOME\}?)\/\.[^\n]{0,60}|\brsync\b[^\n]{0,60}(?:~|\$\{?HOME\}?)\/\.(?:ssh|aws|gnupg|kube)\b[^\n]{0,60}/gi,
  },
  {
    what: settles,
    shape:
      /(?:\s-[oO]|--output(?:-document)?|>|\btee(?:\s+-a)?)[\s=]*["']?(?:(?:~|\$\{?HOME\}?)\/\.(?:bashrc|zshrc|zshenv|profile|bash_profile|bash_login|zprofile|ssh\/|gitconfig|config\/(?:fish\/(?:config|conf\.d|functions)|autostart|systemd|git)|npmrc|pypirc|netrc|vimrc|emacs)|\S{0,60}\.git\/hooks\/|\/etc\/(?:cron|sudoers|profile|init|rc|systemd|ld\.so|passwd|shadow|hosts|sources\.list|apt\/sources))[^\n]{0,60}/gi,
  },
  {
    what: settles,
    shape:
      /\bat\s+now\b|\bschtasks\b[^\n]{0,60}\/create\b[^\n]{0,60}|\breg(?:\.exe)?\s+add\b[^\n]{0,120}\\+run\b[^\n]{0,60}|\bgit\b[^\n]{0,40}\s(?:-c|config)\s[^\n]{0,60}(?:alias\.[\w-]+[\s=]+["']?!|credential\.(?:[^\s=]{1,60}\.)?helper[\s=]+["']{0,2}[!/~.]|include(?:if\.[^\s=]{1,60})?\.path|core\.(?:editor|pager|askpass|gitproxy|alternaterefscommand)|sequence\.editor|gpg\.(?:\w+\.)?program|(?:filter|diff|merge)\.[^\s=]{1,60}\.(?:clean|smudge|process|command|textconv|driver)|sslverify[\s=]+(?:false|0|off)|http\.proxy|\.insteadof|protocol\.ext)[^\n]{0,60}|\bNOPASSWD\b[^\n]{0,40}|\bchmod\s+(?:[ugoa]*\+[rwx]*s|[2467][0-7]{3})\b[^\n]{0,60}|\bsetenforce\s+0\b|\b(?:Set|Add)-MpPreference\b[^\n]{0,60}|\bapt-key\s+(?:add|adv)\b[^\n]{0,60}|\badd-apt-repository\s[^\n]{0,60}|--allow-untrusted\b[^\n]{0,40}|\bssh-copy-id\s[^\n]{0,60}|\bwmic\s+process\s+call\b[^\n]{0,40}/gi,
  },
  {
    what: destroys,
    shape:
      /\b(?:rd|rmdir)\s+\/s\b[^\n]{0,40}|\bRemove-Item\b[^\n]{0,60}\s-r\w*\b[^\n]{0,60}(?:[A-Z]:|\/|~|\$)|\brmtree\(\s*["'](?:\/|~)[^\n]{0,40}|\btruncate\b[^\n]{0,40}\s\/(?:etc|bin|usr|dev)\/[^\n]{0,40}|>\s*\/etc\/\w[^\n]{0,40}|\bmv\s+(?:-\S+\s+){0,20}(?:\/|~)\/?\s[^\n]{0,40}|\bgit\s+push\b[^\n]{0,60}--mirror\b[^\n]{0,40}/gim,
  },
  {
    what: settles,
    shape:
      />>?\s*["']?(?:~|\$\{?HOME\}?)\/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|ssh\/authorized_keys)\b|\bcrontab\s+-(?:\s|$)|\|\s*crontab\b|\bcore\.(?:hooksPath|fsmonitor|sshCommand)\b[^\n]{0,40}/gim,
  },
  {
    what: destroys,
    shape:
      /\bfind\s+["']?[/~$][^\n]{0,80}-delete\b|\bfind\s+[^\n]{0,80}-exec\s+rm\b[^\n]{0,40}|\b(?:docker|podman)\s+run\b[^\n]{0,120}-v\s*["']?\/:[^\n]{0,40}/gi,
  },
];
