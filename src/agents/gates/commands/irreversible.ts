import type { HarmfulCommand } from "./harmful.ts";
import { commandsOf, linesOf } from "./read-commands.ts";

/** Programs, and what a call of them says when nothing brings back what it removes, changes or opens. */
type Rule = { readonly what: string; readonly programs: string; readonly words: RegExp };

const destroys = "destroys files";
const settles = "makes itself run again";
const opens = "takes a protection away";

/** A folder in which a system or a person keeps more than one project. */
const wide = /(?:^|\s)["']?(?:\/(?:\w+\/?)?|~\/?\S*|\$\{?HOME\}?\S*|[A-Z]:\\\S*|(?:\.\.\/?)+)["']?(?=\s|$)/;

const RULES: readonly Rule[] = [
  {
    what: destroys,
    programs: "git",
    words: /^clean\s.*-\w*f\w*.*(?:\.\.|\/|~)|^push\s.*(?:\s-f\b|--force(?!-)|--mirror|--delete|\s:\w)/,
  },
  { what: destroys, programs: "kubectl oc", words: /^delete\s.*(?:--all\b|-A\b|\bns\b|\bnamespaces?\b)/ },
  { what: destroys, programs: "terraform tofu pulumi cdk serverless", words: /^(?:destroy|remove)\b/ },
  {
    what: destroys,
    programs: "docker podman nerdctl",
    words: /^(?:system|volume|image|container)\s+prune\b.*-\w*[af]|--volumes\b/,
  },
  { what: destroys, programs: "dropdb dropuser", words: /^/ },
  {
    what: destroys,
    programs: "psql mysql mariadb sqlite3 sqlcmd clickhouse-client bq",
    words: /\b(?:drop\s+(?:database|schema|table|user)|truncate\s+table|delete\s+from)\b/i,
  },
  { what: destroys, programs: "redis-cli valkey-cli", words: /\bflush(?:all|db)\b/i },
  { what: destroys, programs: "mongo mongosh", words: /\bdrop(?:Database)?\s*\(/ },
  {
    what: destroys,
    programs: "diskutil hdiutil",
    words: /^(?:erase|secureErase|reformat|zeroDisk|partitionDisk)/i,
  },
  {
    what: destroys,
    programs: "clear-disk format-volume initialize-disk remove-partition clear-recyclebin",
    words: /^/,
  },
  {
    what: destroys,
    programs: "parted sgdisk fdisk sfdisk blkdiscard hdparm nvme",
    words: /\b(?:mklabel|rm|format|sanitize)\b|--(?:zap-all|clear|delete|security-erase)|\/dev\/\w/,
  },
  {
    what: destroys,
    programs: "lvremove vgremove pvremove zpool zfs btrfs",
    words: /\b(?:destroy|delete)\b|^-f\b/,
  },
  { what: destroys, programs: "cipher", words: /\/w:/i },
  { what: destroys, programs: "vssadmin wbadmin", words: /^delete\b/i },
  {
    what: destroys,
    programs: "aws",
    words: /^s3\s+(?:rm\s.*--recursive|rb\s.*--force)|\b(?:delete|terminate)-[\w-]+/,
  },
  {
    what: destroys,
    programs: "gcloud az doctl heroku flyctl fly",
    words: /\s(?:delete|destroy|apps:destroy)\b|^apps:destroy\b/,
  },
  { what: destroys, programs: "gh glab", words: /^(?:repo|release|secret|ssh-key|gpg-key)\s+delete\b/ },
  { what: destroys, programs: "npm pnpm yarn cargo gem", words: /^(?:unpublish|yank)\b/ },
  { what: destroys, programs: "kill pkill killall", words: /(?:^|\s)-(?:9|KILL)\s+(?:-1\b|-u\b)/ },
  { what: destroys, programs: "truncate shred srm wipe unlink", words: wide },
  { what: destroys, programs: "crontab", words: /^-r\b/ },
  { what: destroys, programs: "history", words: /^-\w*[cw]/ },
  {
    what: opens,
    programs: "chmod chown chgrp icacls takeown setfacl",
    words: new RegExp(
      `(?:^|\\s)(?:-\\w*R\\w*|/t|777|666|a\\+\\w*w).*${wide.source}|\\s/(?:etc|usr|bin|var|boot)/`,
      "i",
    ),
  },
  { what: opens, programs: "passwd", words: /^(?:-d|--delete|-u|--unlock)\b/ },
  { what: opens, programs: "visudo", words: /^/ },
  {
    what: opens,
    programs: "ufw firewall-cmd netsh",
    words: /\b(?:disable|--panic-off|state\s+off|allowinbound)\b/,
  },
  { what: opens, programs: "iptables ip6tables nft", words: /^(?:-F|--flush|flush\b|-P\s+\w+\s+ACCEPT)/ },
  { what: opens, programs: "csrutil spctl", words: /\b(?:disable|--master-disable|--global-disable)\b/ },
  { what: opens, programs: "bcdedit", words: /^\/set\b/i },
  {
    what: opens,
    programs: "systemctl service launchctl",
    words:
      /\b(?:disable|mask|stop|unload)\b.*\b(?:firewalld|ufw|auditd|apparmor|falcon\S*|clamav\S*|mdatp)\b/,
  },
  {
    what: opens,
    programs: "ssh scp sftp rsync",
    words: /(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s?=|StrictHostKeyChecking\s?=\s?no/i,
  },
  {
    what: opens,
    programs: "gh glab",
    words: /^(?:secret|variable|ssh-key|gpg-key|auth)\s+(?:set|add|login)\b.*(?:<|~\/\.|--with-token)/,
  },
  { what: opens, programs: "aws", words: /^iam\s+(?:create|attach|put|add)-/ },
  {
    what: settles,
    programs: "git",
    words:
      /^config\s.*\b(?:commit\.template|init\.templatedir|core\.attributesfile|core\.excludesfile|user\.signingkey)\b.*(?:~|\/)/i,
  },
  { what: settles, programs: "go", words: /^env\s+-w\b/ },
  { what: settles, programs: "alias", words: /^(?:sudo|su|ssh|git|npm|ls|cd)=/ },
  {
    what: settles,
    programs: "export setenv set",
    words:
      /^(?:PATH=["']?(?:\/tmp|\.(?=[:/"'])|\/var\/tmp|\/dev\/shm)|PYTHONSTARTUP|BASH_ENV|ENV=|PROMPT_COMMAND|LD_(?:PRELOAD|AUDIT)|DYLD_INSERT)/,
  },
  { what: settles, programs: "sed", words: /(?:^|[\s'";])w\s*\/(?:etc|usr|bin|root)/ },
].flatMap(({ programs, ...rule }) => programs.split(" ").map((program) => ({ ...rule, programs: program })));

const BY_PROGRAM = Map.groupBy(RULES, ({ programs }) => programs);

/** Commands that nothing takes back: they remove what many need, or open what was closed. */
export function findIrreversible(text: string): HarmfulCommand[] {
  const found: HarmfulCommand[] = [];
  for (const line of linesOf(text))
    for (const { words } of commandsOf(line)) {
      const [head = "", ...rest] = words;
      const said = rest.join(" ");
      const rule = BY_PROGRAM.get(head)?.find((each) => each.words.test(said));
      if (rule) found.push({ what: rule.what, text: words.join(" ").slice(0, 400), key: words.join(" ") });
    }
  return found;
}
