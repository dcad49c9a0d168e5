import * as zlib from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32 } from "./crc32.ts";

test("any bytes have the checksum that Node computes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => crc32(bytes) === zlib.crc32(bytes)));
  for (const length of [32_767, 32_768, 32_769])
    expect(crc32(new Uint8Array(length).fill(7))).toBe(zlib.crc32(new Uint8Array(length).fill(7)));
});
