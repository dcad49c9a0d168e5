import type { Thing } from "../thing.ts";
import type { CodeText } from "./code-text.ts";

/** The paths that a server answers, where a well-known library declares them. */
export function readRoutes(code: CodeText): Thing[] {
  const found = new Map<string, Thing>();
  for (const pattern of code.libraries.routes ?? []) {
    for (const call of code.calls(pattern)) {
      const path = call.arguments.find(
        ({ name }) => name === undefined || name === "value" || name === "path",
      );
      if (path?.string === undefined || !/^\/[\w\-./:{}<>*$()?+|\\]*$/.test(path.string)) continue;
      const method = methodOf(call.match[1], code.text.slice(call.start, call.end));
      const thing = code.thing({
        kind: "route",
        name: path.string,
        owner: method ? [method] : [],
        at: path.start,
      });
      found.set(thing.id, thing);
    }
  }
  return [...found.values()];
}

function methodOf(verb: string | undefined, call: string): string | undefined {
  const word = verb?.toUpperCase();
  if (word && METHODS.has(word)) return word;
  return /\bmethods?\s*=\s*[[{(]\s*["'](\w+)["']\s*[\]})]/.exec(call)?.[1]?.toUpperCase();
}

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
