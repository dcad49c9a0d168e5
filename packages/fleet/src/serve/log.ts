import { replaceHidden } from "suture/service";

/**
 * One line of JSON for each event. Text from a repository or a host is always a JSON value, never a key. Characters that a
 * terminal obeys or hides are escaped.
 */
export type Log = (event: string, about?: Readonly<Record<string, unknown>>) => void;

export function openLog(write: (line: string) => void, secrets: readonly string[] = []): Log {
  const hidden = secrets.filter((secret) => secret.length >= 8);
  return (event, about = {}) => {
    let line = JSON.stringify({ time: new Date().toISOString(), event, ...about });
    for (const secret of hidden) line = line.replaceAll(secret, "[secret]");
    write(`${replaceHidden(line, escaped).replace(/[\u007f-\u009f\u2028\u2029]/g, escaped)}\n`);
  };
}

/** As JSON escapes characters: one escape for each UTF-16 unit. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

export const noLog: Log = () => {};
