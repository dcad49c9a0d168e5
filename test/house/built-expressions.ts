/**
 * Prints every regular expression that the modules of the product build from parts when they are loaded. A program of its
 * own, because it puts another constructor in the place of the language's.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import type { Expression } from "./expressions.ts";

const Native = RegExp;
const built = new Map<string, Expression>();

function Noted(...given: ConstructorParameters<typeof RegExp>): RegExp {
  const made = new Native(...given);
  const place = /\bsrc\/(?!.*\btesting\.ts)[^\s)]*/.exec(new Error().stack?.split("\n")[2] ?? "")?.[0];
  if (place !== undefined)
    built.set(`${made.source}/${made.flags}`, { place, source: made.source, flags: made.flags });
  return made;
}
Noted.prototype = Native.prototype;
Object.setPrototypeOf(Noted, Native);
globalThis.RegExp = Noted as unknown as RegExpConstructor;

/** Programs begin their work when they are loaded, and pages need a browser. */
const isProgram =
  /\.test\.ts$|\/main\.ts$|-(?:program|child)\.ts$|tool-hook\.ts$|^src\/web\/(?:page|try|claims)\//;
const modules = globSync("src/**/*.ts").map((path) => path.replaceAll("\\", "/"));
for (const path of modules.filter((each) => !isProgram.test(each)).sort())
  await import(join(process.cwd(), path));
process.stdout.write(JSON.stringify([...built.values()]), () => process.exit());
