/** One line of JSON for each event. Text from a repository or a host is always a JSON value, never a key. */
export type Log = (event: string, about?: Readonly<Record<string, unknown>>) => void;

export function openLog(write: (line: string) => void, secrets: readonly string[] = []): Log {
  const hidden = secrets.filter((secret) => secret.length >= 8);
  return (event, about = {}) => {
    let line = JSON.stringify({ time: new Date().toISOString(), event, ...about });
    for (const secret of hidden) line = line.replaceAll(secret, "[secret]");
    write(`${line}\n`);
  };
}

/** The values of an environment that must never be logged. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  const configured = new Set(
    Array.from((environment.SUTURE_HOSTS ?? "").matchAll(/:([A-Za-z_]\w*)/g), ([, name]) => name),
  );
  return Object.entries(environment).flatMap(([name, value]) =>
    value && (configured.has(name) || /TOKEN|SECRET|PASSWORD|API_KEY|DATABASE_URL/.test(name)) ? [value] : [],
  );
}

export const noLog: Log = () => {};
