import type { Environment } from "suture/service";

const secretName = /TOKEN|SECRET|PASSWORD|API_KEY|_KEY$|DATABASE_URL/;

/** The values that must never be logged. */
export function secretsOf(environment: Environment): string[] {
  return [...secretNames(environment)].flatMap((name) => environment[name] || []);
}

/** The environment for a child process that needs no secrets. */
export function withoutSecrets(environment: Environment): Record<string, string | undefined> {
  const secrets = secretNames(environment);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secrets.has(name)));
}

/** The variables whose names say that they are secret, and the token variables that SUTURE_HOSTS names. */
function secretNames(environment: Environment): ReadonlySet<string> {
  const configured = (environment.SUTURE_HOSTS ?? "").matchAll(/:([A-Za-z_]\w*)/g);
  const named = Object.keys(environment).filter((name) => secretName.test(name));
  return new Set([...named, ...Array.from(configured, ([, name]) => name!)]);
}
