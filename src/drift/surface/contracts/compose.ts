import { type DataEntry, type DataNode, dataAt } from "../../../syntax/data/data.ts";
import { scanYaml } from "../../../syntax/data/yaml.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Region } from "../../../text/model/region.ts";
import { CodeText, DATA_CODE } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";

/** The services of a Compose file with their published ports, variables and images, and the variables of the file. */
export function readCompose(path: string, text: string): Thing[] {
  const code = new CodeText(path, text, DATA_CODE);
  const services = dataAt(scanYaml(text).root, "services")?.entries ?? [];
  return [...services.flatMap((service) => serviceThings(code, service)), ...substitutedVariables(code)];
}

function serviceThings(code: CodeText, { key, keyRegion, node }: DataEntry): Thing[] {
  const owner = ["services", key];
  const region = { start: keyRegion.start, end: node.region.end };
  return [
    code.thing({ kind: "setting", name: key, owner: ["services"], at: keyRegion.start, region }),
    ...(dataAt(node, "ports")?.items ?? []).flatMap((port) => portThing(code, port, owner)),
    ...environmentOf(code, dataAt(node, "environment")).map(({ name, value, region: at }) =>
      code.thing({
        kind: "environment",
        name,
        owner: [key],
        at: at.start,
        region: at,
        ...defined({ value: value === undefined ? undefined : withoutSubstitution(value) }),
      }),
    ),
    ...imageThing(code, dataAt(node, "image")),
  ];
}

/** `"8080:80"`, `"127.0.0.1:8080:80"`, `{ target: 80, published: 8080 }`: the port that a reader opens. */
function portThing(code: CodeText, port: DataNode, owner: readonly string[]): Thing[] {
  const node = port.kind === "map" ? dataAt(port, "published") : port;
  const written = withoutSubstitution(node?.value ?? "").replace(/\/\w+$/, "");
  const parts = written.split(":");
  const value = parts.length > 1 ? parts.at(-2) : port.kind === "map" ? parts[0] : undefined;
  if (!node || !value || !/^[\d-]+$/.test(value)) return [];
  return [
    code.thing({ kind: "setting", name: "ports", owner, at: node.region.start, region: node.region, value }),
  ];
}

type Variable = { readonly name: string; readonly value?: string; readonly region: Region };

/** A map of names to values, or a list of `NAME=value`. */
function environmentOf(code: CodeText, node: DataNode | undefined): Variable[] {
  if (node?.kind === "map")
    return (node.entries ?? []).map(({ key, keyRegion, node: held }) => ({
      name: key,
      ...defined({ value: held.value }),
      region: { start: keyRegion.start, end: held.region.end },
    }));
  return (node?.items ?? []).flatMap(({ region }) => {
    const pair = /^(\w+)(?:=([\s\S]*))?$/.exec(code.text.slice(region.start, region.end));
    return pair ? [{ name: pair[1]!, ...defined({ value: pair[2] }), region }] : [];
  });
}

/** `postgres:14-alpine`: the version of a program that comes with the stack. */
function imageThing(code: CodeText, node: DataNode | undefined): Thing[] {
  const image = /^(?:[\w.:-]+\/)*([\w.-]+):(\d[\w.-]*)$/.exec(withoutSubstitution(node?.value ?? ""));
  if (!node || !image) return [];
  const place = { at: node.region.start, region: node.region };
  return [code.thing({ kind: "version", name: image[1]!, owner: ["images"], value: image[2]!, ...place })];
}

const SUBSTITUTION = /\$\{(\w+)(?::?-([^{}]*))?\}/g;

/** The variables that the file itself reads: `${PORT:-3000}`. */
function substitutedVariables(code: CodeText): Thing[] {
  return Array.from(code.text.matchAll(SUBSTITUTION), ({ 1: name, 2: value, index }) =>
    code.thing({
      kind: "environment",
      name: name!,
      at: index + 2,
      ...defined({ value: value || undefined }),
    }),
  );
}

function withoutSubstitution(value: string): string {
  return value.replace(SUBSTITUTION, (whole, _, fallback: string | undefined) => fallback ?? whole);
}
