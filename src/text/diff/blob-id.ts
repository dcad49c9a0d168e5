import { encode } from "../model/encoding.ts";
import { foldEndings } from "../model/lines.ts";

/** Whether git would give a text an id that begins like this, unchanged or with LF line endings. */
export function hasBlobId(text: string, id: string): boolean {
  return blobId(text).startsWith(id) || (text.includes("\r\n") && blobId(foldEndings(text)).startsWith(id));
}

/** The id git gives a text; empty where the text cannot be encoded. */
export function blobId(text: string): string {
  const bytes = encode(text, text.isWellFormed() ? "utf-8" : "utf-8-stray");
  if (!bytes.ok) return "";
  const header = new TextEncoder().encode(`blob ${bytes.value.length}\0`);
  return sha1(header, bytes.value);
}

/** SHA-1 over two pieces. It serves only to recognise git's ids, never for security. */
function sha1(header: Uint8Array, body: Uint8Array): string {
  const length = header.length + body.length;
  const message = new Uint8Array((((length + 8) >> 6) << 6) + 64);
  message.set(header);
  message.set(body, header.length);
  message[length] = 0x80;
  const view = new DataView(message.buffer);
  view.setUint32(message.length - 8, Math.floor(length / 0x2000_0000));
  view.setUint32(message.length - 4, (length << 3) >>> 0);
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const words = new Int32Array(80);
  for (let at = 0; at < message.length; at += 64) mixBlock(view, at, state, words);
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function mixBlock(view: DataView, at: number, state: Int32Array, words: Int32Array): void {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 80; i++)
    words[i] = rotate(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1);
  let [a, b, c, d, e] = state as unknown as [number, number, number, number, number];
  for (let i = 0; i < 80; i++) {
    let mixed: number;
    if (i < 20) mixed = ((b & c) | (~b & d)) + 0x5a827999;
    else if (i < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1;
    else if (i < 60) mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    else mixed = (b ^ c ^ d) + 0xca62c1d6;
    const next = (rotate(a, 5) + mixed + e + words[i]!) | 0;
    [e, d, c, b, a] = [d, c, rotate(b, 30), a, next];
  }
  state[0] = state[0]! + a;
  state[1] = state[1]! + b;
  state[2] = state[2]! + c;
  state[3] = state[3]! + d;
  state[4] = state[4]! + e;
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
