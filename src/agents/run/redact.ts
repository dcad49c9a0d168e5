/** Removes secrets from a text: known values, and text with the shape of a secret. */
export type Redact = (text: string) => string;

const shapes: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{30,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g,
  /\bBearer [A-Za-z0-9._~+/-]{16,}/g,
];

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

export function createRedact(secrets: readonly string[] = []): Redact {
  return (text) => {
    let clean = text;
    for (const secret of secrets) clean = clean.replaceAll(secret, "[secret]");
    for (const shape of shapes) clean = clean.replace(shape, "[secret]");
    return clean;
  };
}

/** Whether a text holds a known secret, or a text shaped like one that the older text did not hold. */
export function findSecret(text: string, secrets: readonly string[], older = ""): boolean {
  if (secrets.some((secret) => text.includes(secret))) return true;
  return shapes.some((shape) => Array.from(text.matchAll(shape)).some(([found]) => !older.includes(found)));
}
