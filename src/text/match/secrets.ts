import type { Region } from "../model/region.ts";
import { keyFormats } from "./key-formats.ts";

/** Removes secrets from a text: known values, and text with the shape of a secret. */
export type Redact = (text: string) => string;

/**
 * The published formats of keys, as their issuers document them. Prefixes and lengths are facts; no rule of another
 * scanner is copied.
 */
const shapes: readonly RegExp[] = [
  // A whole block, and its body where the end was cut off.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]{0,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:[\r\n]+[ \t>]*[A-Za-z0-9+/=]{16,})*)/g,
  // The body of a block whose head was cut off, as in a hunk, and of one that a program joins from texts.
  /(?:^[-+> \t"'`]{0,20}[A-Za-z0-9+/=]{40,100}(?:\\n)?["'`]?[ \t,+.\\]{0,4}\r?\n){1,60}[-+> \t"'`]{0,20}(?:[A-Za-z0-9+/=]{1,100}(?:\\n)?["'`]?[ \t,+.\\]{0,4}\r?\n[-+> \t"'`]{0,20})?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gm,
  // Marks of keys in the first bytes of their body: OpenSSH, RSA, EC and PKCS #8.
  /\bb3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{16,}|\bMI(?:IEv[A-Z]IBADANBgkqhkiG9w0BAQEFAA|IEpAIBAAK|IEowIBAAK|IJK[AQ]IBAAK|HcAgEB|GHAgEAMBMGByqGSM49)[A-Za-z0-9+/=]{10,}/g,
  /https:\/\/[\w.-]{1,80}\.webhook\.office\.com\/webhookb2\/[\w@-]{20,}\/[\w/-]{20,}/gi,
  /\b[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,45}\b/g,
  /\bATBB[A-Za-z0-9]{20,}|\bATCTT3[A-Za-z0-9_=-]{20,}|\bnfp_[A-Za-z0-9]{20,}|\bpcsk_[A-Za-z0-9_]{20,}/g,
  /\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{16,}|\blsv2_(?:pt|sk)_[a-f0-9]{20,}(?:_[a-f0-9]{4,})?|\bSSWS [A-Za-z0-9_-]{20,}/g,
  /\bGR1348941[A-Za-z0-9_-]{16,}|\b(?:sdk|mob|api)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}\b/g,
  /\bgl(?:ffct|oas|ptt|cbt|imt)-[A-Za-z0-9_-]{16,}|\bre_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,}|\bphc_[A-Za-z0-9]{30,}|\bphx_[A-Za-z0-9]{30,}/g,
  /\btvly-[A-Za-z0-9-]{16,}|\bfc-[a-f0-9]{32}\b|\bcsk-[a-z0-9]{30,}|\bfw_[A-Za-z0-9]{20,}|\bjina_[A-Za-z0-9]{30,}|\bunkey_[A-Za-z0-9]{16,}|\bsvcs?_[a-f0-9]{32,}/g,
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{30,}/g,
  /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-[A-Za-z0-9_-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[A-Za-z0-9_-]{40,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}/g,
  /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9_/+-]{10,}/g,
  /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{20,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bGOCSPX-[A-Za-z0-9_-]{20,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\bgsk_[A-Za-z0-9]{20,}/g,
  /\bxai-[A-Za-z0-9]{20,}/g,
  /\br8_[A-Za-z0-9]{30,}/g,
  /\bpplx-[A-Za-z0-9]{30,}/g,
  /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{20,}/g,
  /\bdo[opr]_v1_[a-f0-9]{30,}/g,
  /\blin_(?:api|oauth)_[A-Za-z0-9]{20,}/g,
  /\b(?:sq0(?:atp|csp)|EAAA[A-Za-z0-9]{2})-?[A-Za-z0-9_-]{20,}/g,
  /\bkey-[a-f0-9]{32}\b/g,
  /\bSK[a-f0-9]{32}\b/g,
  /\bPMAK-[a-f0-9]{24}-[a-f0-9]{30,}/g,
  /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{30,}/g,
  /\bhvs\.[A-Za-z0-9_-]{20,}|\bhvb\.[A-Za-z0-9_-]{20,}/g,
  /\bATATT3[A-Za-z0-9_=-]{30,}/g,
  /\bfigd_[A-Za-z0-9_-]{20,}/g,
  /\bntn_[A-Za-z0-9]{20,}|\bsecret_[A-Za-z0-9]{40,}/g,
  /\bsntrys_[A-Za-z0-9+/=_-]{20,}/g,
  /\bdckr_pat_[A-Za-z0-9_-]{20,}/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{50,}/g,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/g,
  /\b(?:Bearer|Basic|Token|ApiKey) [A-Za-z0-9._~+/=-]{16,}/g,
  /(?<=authorization["']?\s{0,3}[:=]\s{0,3}["']?)(?:bearer|basic|token|apikey)\s[A-Za-z0-9._~+/=-]{12,}/gi,
  /\bdapi[a-f0-9]{32}\b/g,
  /\bNRAK-[A-Z0-9]{20,}|\bNRJS-[a-f0-9]{15,}/g,
  /\bpdus\+_[A-Za-z0-9_]{20,}/g,
  /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{40,}/g,
  /\bsbp_[a-f0-9]{30,}/g,
  /\bvercel_blob_rw_[A-Za-z0-9_]{20,}/g,
  /\brubygems_[a-f0-9]{40,}|\bpul-[a-f0-9]{40}\b|\bsgp_[A-Za-z0-9_]{36,}|\bbkua_[a-f0-9]{36,}/g,
  /\bops_eyJ[A-Za-z0-9_-]{40,}|\bCFPAT-[A-Za-z0-9_-]{40,}|\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,}/g,
  /\bEAA[A-Z][A-Za-z0-9]{40,}|\bnvapi-[A-Za-z0-9_-]{40,}|\brdme_[a-z0-9A-Z]{50,}|\bLTAI[A-Za-z0-9]{16,24}\b/g,
  /\btskey-[a-z]{2,12}-[A-Za-z0-9]{6,}-[A-Za-z0-9]{16,}|\bCCIPAT_[A-Za-z0-9]{16,}_[a-f0-9]{30,}/g,
  /\bglsa_[A-Za-z0-9]{24,}_[a-f0-9]{6,}|\bglc_[A-Za-z0-9+/=]{40,}|\bdt0[a-z]\d\d\.[A-Z0-9]{20,}\.[A-Z0-9]{50,}/g,
  /\bdp\.(?:st|ct)\.[\w-]{1,30}\.[A-Za-z0-9]{30,}|\b[xyz]prv[A-HJ-NP-Za-km-z1-9]{90,}/g,
  // Passwords as systems store them: a program can guess what they were.
  /\$(?:2[abxy]|apr1|[156y])\$[A-Za-z0-9./]{1,30}\$[A-Za-z0-9./]{20,}/g,
  /(?<=\bPrivate-Lines: \d{1,3}[\r\n]{1,4})(?:[A-Za-z0-9+/=]{16,}[\r\n]*)+/g,
  new RegExp(`(?<![\\w~.-])(?:${Object.values(keyFormats).join("|")})(?![\\w-])`, "g"),
  /\bFlyV1 [A-Za-z0-9_+/=,-]{20,}|\bfm2_[A-Za-z0-9+/=]{30,}/g,
];

/** Shapes with words that may stay: only the group is secret. */
const valueShapes: readonly RegExp[] = [
  // postgres://user:password@host
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@"'`<>]{0,100}:([^\s/?#"'`<>]{3,200})@/gi,
  /\b(?:AccountKey|SharedAccessKey|SharedAccessSignature|Password|Pwd)=([^;\s"'`<>]{6,200})/gi,
  /[?&;](?:sig|signature|X-Amz-Signature|X-Goog-Signature)=([A-Za-z0-9%+/=_-]{20,400})/gi,
  // curl -u user:password, and the lines of a .netrc
  /\s(?:-u|--user|--proxy-user)[ =]["']?[^\s:"']{1,80}:([^\s"'`<>]{6,200})|\bcurl\s(?:[^\n]{0,120}\s)?-u["']?[^\s:"'-]{1,80}:([^\s"'`<>]{6,200})/g,
  /(?:^|\s)--?(?:password|passwd|passphrase|token|secret|api-?key|access-?key|auth-?token)[ =]["']?([^\s"'`<>]{8,200})/gim,
  /\bsshpass\s+-p\s*["']?([^\s"'`<>]{6,200})|\bdocker\s+login\b[^\n]{0,80}\s-p\s*["']?([^\s"'`<>]{6,200})|\bmysql\w*\b[^\n]{0,80}\s-p(?=\S*\d)([^\s"'`<>=]{6,200})/g,
  // https://token@host
  /\bhttps?:\/\/([A-Za-z0-9_-]{20,200})@/gi,
  /\b(?:Authorization|Proxy-Authorization|X-[A-Za-z-]{0,20}(?:Key|Token|Secret)): ?(?!Basic|Bearer|Token|Digest)([A-Za-z0-9._~+/=-]{16,400})/gi,
  /\b(?:Set-)?Cookie: ?[\w.-]{1,40}=([A-Za-z0-9._~+/%=-]{20,400})/gi,
  // Names that end in a word for a key, and the secret part of a JSON Web Key.
  /(?:encryption|signing|master|session|cookie|hmac|aes|secret)[_-]?key(?:[_-]?base)?["']?[ \t]{0,3}(?:=>|:=|=|:)[ \t]{0,3}["']?([^\s"'`,;<>(){}[\]]{16,300})/gi,
  /(?:(?<![A-Za-z])(?:pass|pwd)|_(?:pass|pwd)|_PASS|_PWD|(?<![A-Za-z])PASS|(?<![A-Za-z])PWD|[a-z]P(?:ass|wd)|(?<![A-Za-z])_auth|"auth")["']?[ \t]{0,3}(?:=>|:=|=|:)[ \t]{0,3}["']?([^\s"'`,;<>(){}[\]]{8,300})/g,
  /"d"\s{0,9}:\s{0,9}"([A-Za-z0-9_-]{40,2000})"/g,
  /\bprivate[ _-]?key["']?[ \t]{0,3}[:=][ \t]{0,3}["']?((?:0x)?[a-f0-9]{64})\b/gi,
  // client-key-data of Kubernetes, psk of wireless networks, <add key="Password" value="…"/>, define('AUTH_KEY', '…')
  /\b(?:client-key-data|psk|wpa_passphrase|preshared-?key|ssh-privatekey)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([^\s"'<>]{8,4000})/gi,
  /\b(?:key|name)=["'][^"'\n]{0,60}(?:password|pwd|secret|token|api-?key|connectionstring)["']\s{1,9}value=["']([^"'\n]{6,300})["']/gi,
  /\bdefine\(\s{0,9}["']\w{0,40}(?:KEY|SALT|PASSWORD|SECRET|TOKEN)["']\s{0,9},\s{0,9}["']([^"'\n]{8,300})["']/g,
  /\b(?:mnemonic|seed[ _-]?phrase|recovery[ _-]?phrase)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([a-z]{3,8}(?: [a-z]{3,8}){11,23})/gi,
  /\b[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){0,6}_(?:ADMIN_)?KEY["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([^\s"'`,;<>(){}[\]]{16,300})/g,
  // A key of small letters has a value of mixed ones; codes for a second factor are in base 32.
  /(?<![A-Za-z])[a-z]{2,20}[_-]key["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?=\S{0,40}[A-Z])(?=\S{0,40}[a-z])(?=\S{0,40}\d)([A-Za-z0-9+/=_-]{16,300})/g,
  /\b(?:totp|otp|2fa|mfa)\b[^\n]{0,20}?\b([A-Z2-7]{16,64})\b/gi,
  /\bapi_hash["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([a-f0-9]{32})\b/gi,
  // <password>value</password>, and a value on the line below its name
  /<(?:[\w:.-]{0,40}(?:password|passphrase|secret|token|api-?key))>([^<>\s]{8,300})<\//gi,
  /\b(?:password|passphrase|secret|token|api[_-]?key)["']?:[ \t]{0,3}(?:[>|][+-]?)?[ \t]{0,3}\r?\n[ \t]{1,20}["']?([^\s"'`,;:<>(){}[\]]{8,300})["']?[ \t]{0,3}(?:\r?\n|$)/gi,
  /\bmachine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+(\S{6,200})/gi,
  // NAME=value, name: "value", "name": "value", where the end of the name says that the value is secret. The pattern
  // does not describe the start of the name: it would try every way to split a long word.
  /(?:api[_-]?key|secret(?:[_-]?(?:access)?[_-]?key)?|access[_-]?key|private[_-]?key|client[_-]?secret|auth[_-]?token|access[_-]?token|refresh[_-]?token|token|passw(?:or)?d|passphrase|credentials?)["']?[ \t]{0,3}(?:=>|:=|=|:)[ \t]{0,3}(?:"([^"\n]{8,300})"|'([^'\n]{8,300})'|([^\s"'`,;<>(){}[\]]{8,300}))/gi,
];

/** Placeholders for a secret. */
const placeholder =
  /^(?:\$|%|<|\{|\[|\*+$|x+$|\.+$)|^(?:true|false|null|none|undefined|optional|required|string|number|boolean)$|^(?:(?:your|my|the|an?|some|test)(?=[^A-Za-z0-9])|example|sample|dummy|fake|changeme|change-me|placeholder|redacted|process\.env|os\.environ|env\.|secrets\.|vars\.|config\.|import\.meta)/i;

/** Whether a value that a name calls secret looks like one: words and code do not. */
function isSecretValue(value: string): boolean {
  if (placeholder.test(value) || /\[secret\]/.test(value)) return false;
  if (/[()]|\$\{|^[A-Za-z_]+(?:[.:][A-Za-z_]+)+$/.test(value) || isMember(value)) return false;
  if (/^[a-z]{3,8}(?: [a-z]{3,8}){11,23}$/.test(value)) return true;
  return /\d/.test(value)
    ? /[A-Za-z]/.test(value) || value.length >= 12
    : /[^A-Za-z\s]/.test(value.slice(1, -1)) && !/^[a-z]+(?:[-_ ][a-z]+)*$/i.test(value);
}

/** Whether a value is a member of a variable of a program: `opts.params?.token`, `env["TOKEN"]`, `self->token2`. */
function isMember(value: string): boolean {
  const names = value.split(/\?\.|\.|::|->|!\.?|\[["']?|["']?\]/).filter((name) => name !== "");
  return names.length > 1 && names.every((name) => /^[A-Za-z_$]+\d{0,2}$|^\d$/.test(name));
}

/** The values in a text that a name or an address calls secret. */
function findNamedValues(text: string): Region[] {
  return valueShapes.flatMap((shape, index) =>
    Array.from(text.matchAll(shape)).flatMap((found) => {
      const value = found[1] ?? found[2] ?? found[3];
      if (value === undefined || (index > 0 ? !isSecretValue(value) : placeholder.test(value))) return [];
      const start = found.index + found[0].lastIndexOf(value);
      return [{ start, end: start + value.length }];
    }),
  );
}

/** A known secret, and the ways in which a text can hold it without showing it. */
function spellings(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const base64 = toBase64(bytes);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const forms = [
    secret,
    base64.replace(/=+$/, ""),
    base64.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_"),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret.toWellFormed()),
    Array.from(secret).reverse().join(""),
    JSON.stringify(secret).slice(1, -1),
  ];
  // Behind one or two other bytes, base64 of the middle looks different.
  for (const shift of [1, 2]) {
    const shifted = toBase64(Uint8Array.of(...new Uint8Array(shift), ...bytes)).replace(/=+$/, "");
    forms.push(shifted.slice(4, -1));
  }
  return [...new Set(forms)].filter((form) => form.length >= shortest);
}

const longestHidden = 256;
const fewestDifferent = 6;

/**
 * A known secret whose characters are apart, in other case, or escaped one by one; and its bytes as numbers. `null`: it
 * is too short or too long to be looked for in these forms.
 */
function hiddenShape(secret: string): RegExp | null {
  const characters = Array.from(secret);
  if (characters.length < shortest || characters.length > longestHidden) return null;
  // A value of few different characters repeats itself, and a search for it would begin again at every place.
  if (new Set(characters).size < fewestDifferent) return null;
  const bytes = Array.from(new TextEncoder().encode(secret));
  const between = "[\\s\\u200b-\\u200f\\u2060-\\u2064\\ufeff]{0,3}";
  const spelled = characters.map(escapedForms).join(between);
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("[\\s,:]{1,3}(?:0x)?");
  const decimal = bytes.join("[\\s,]{1,3}");
  return new RegExp(`${spelled}|(?<![0-9a-f])${hex}(?![0-9a-f])|(?<!\\d)${decimal}(?!\\d)`, "gi");
}

/** A pattern for one character: itself, or as a shell, a program, an address or a page escapes it. */
function escapedForms(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  const percent = Array.from(
    new TextEncoder().encode(character.toWellFormed()),
    (byte) => `%${byte.toString(16)}`,
  );
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
  return `(?:${literal}|\\\\x0*${hex}|\\\\u\\{?0*${hex}\\}?|&#0*${code};|&#x0*${hex};|${percent.join("")})`;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

const secretName = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_|$)/i;

const shortest = 8;

/** The values of environment variables with a secret's name. */
export function secretsIn(environment: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortest && secretName.test(name) ? [value] : [],
  );
  // A longer secret may contain a shorter one. It goes first, or its tail would stay.
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

/** A function that blanks secrets in texts. Known secrets are asked for when a text is long enough to hold one. */
export function createRedact(secrets: readonly string[] | (() => readonly string[]) = []): Redact {
  let patterns: { readonly known: readonly string[]; readonly hidden: readonly RegExp[] } | null = null;
  return (text) => {
    // No secret is that short, and compiling the patterns takes longer than an edit.
    if (text.length < shortest) return text;
    patterns ??= secretPatterns(typeof secrets === "function" ? secrets() : secrets);
    const { known, hidden } = patterns;
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, "[secret]");
    for (const shape of hidden) clean = clean.replace(shape, "[secret]");
    for (const shape of shapes) clean = clean.replace(shape, "[secret]");
    return blankSpans(clean, findNamedValues(clean));
  };
}

function secretPatterns(secrets: readonly string[]): { known: readonly string[]; hidden: readonly RegExp[] } {
  return {
    known: secrets.flatMap(spellings).sort((a, b) => b.length - a.length),
    hidden: secrets.flatMap((secret) => hiddenShape(secret) ?? []),
  };
}

function blankSpans(text: string, spans: readonly Region[]): string {
  let clean = "";
  let at = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    clean += `${text.slice(at, start)}[secret]`;
    at = end;
  }
  return clean + text.slice(at);
}

/** Whether a text holds a known secret in any spelling, or one by its shape or name that the older text did not hold. */
export function findSecret(text: string, secrets: readonly string[], older = ""): boolean {
  if (secrets.flatMap(spellings).some((secret) => text.includes(secret))) return true;
  if (secrets.some((secret) => hiddenShape(secret)?.test(text))) return true;
  const shaped = shapes.flatMap((shape) => Array.from(text.matchAll(shape), ([found]) => found));
  const named = findNamedValues(text).map(({ start, end }) => text.slice(start, end));
  return [...shaped, ...named].some((found) => !older.includes(found) && !isPlaceholder(found));
}

/** A password in an address that is a word for one, as pages write it: `user:password@host`. */
function isPlaceholder(found: string): boolean {
  return /^(?:pass(?:word|wd|phrase)?|pwd|secret|x{3,}|\*{3,})$/i.test(found);
}
