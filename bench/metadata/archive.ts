import { spawnSync } from "node:child_process";

/** Attributes by their names: `acl.access`, `acl.default` (as text), `xattr.NAME`. */
export type AttributeValues = Readonly<Record<string, string | Buffer>>;

type Entry = {
  /** Where the file or folder stands. */
  readonly folder: string;
  readonly name: string;
  /** `null`: a folder. */
  readonly content: string | null;
  readonly mode: number;
};

const options = ["--acls", "--xattrs", "--xattrs-include=*"];

/** Creates a file or folder with attributes, by unpacking an archive: Node has no function for it. */
export function unpack({ folder, name, content, mode }: Entry, values: AttributeValues): void {
  const records = Buffer.concat(
    Object.entries(values).map(([key, value]) => record(`SCHILY.${key}`, Buffer.from(value))),
  );
  const body = Buffer.from(content ?? "");
  const archive = Buffer.concat([
    header({ name: "attributes", type: "x", size: records.length, mode: 0o644 }),
    padded(records),
    header({ name, type: content === null ? "5" : "0", size: body.length, mode }),
    padded(body),
    Buffer.alloc(1024),
  ]);
  const done = spawnSync("tar", [...options, "-p", "-xf", "-", "-C", folder], { input: archive });
  if (done.status !== 0) throw new Error(`tar cannot set attributes: ${done.stderr}`);
}

/** The attributes of a file or folder. */
export function readValues(folder: string, name: string): Readonly<Record<string, string>> {
  const packed = spawnSync("tar", [
    ...[...options, "--format=pax", "--no-recursion", "-cf", "-", "-C", folder, name],
  ]).stdout;
  if (packed[156] !== "x".charCodeAt(0)) return {};
  const size = Number.parseInt(packed.toString("latin1", 124, 135), 8);
  const found: Record<string, string> = {};
  for (let at = 512; at < 512 + size; ) {
    const space = packed.indexOf(" ", at);
    const length = Number(packed.toString("latin1", at, space));
    const text = packed.toString("latin1", space + 1, at + length - 1);
    const [key = "", ...value] = text.split("=");
    if (key.startsWith("SCHILY.")) found[key.slice("SCHILY.".length)] = value.join("=").trim();
    at += length;
  }
  return found;
}

/** A record begins with its own length. */
function record(key: string, value: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from("\n")]);
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

function header(entry: { name: string; type: string; size: number; mode: number }): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`;
  block.write(entry.name, 0);
  block.write(octal(entry.mode, 8), 100);
  block.write(octal(process.getuid?.() ?? 0, 8), 108);
  block.write(octal(process.getgid?.() ?? 0, 8), 116);
  block.write(octal(entry.size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write("        ", 148);
  block.write(entry.type, 156);
  block.write("ustar\u000000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
