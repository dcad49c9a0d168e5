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

export const noLog: Log = () => {};
