/** The CRC-32 of some bytes. Few bytes are not worth loading Node's compression, which has it. */
export function crc32(bytes: Uint8Array): number {
  if (bytes.length > mostCounted) return process.getBuiltinModule("node:zlib").crc32(bytes);
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest = quarters[(rest ^ byte) & 15]! ^ (rest >>> 4);
    rest = quarters[(rest ^ (byte >> 4)) & 15]! ^ (rest >>> 4);
  }
  return ~rest >>> 0;
}

const mostCounted = 32_768;

/** The remainders of four bits. */
const quarters = Uint32Array.from({ length: 16 }, (_, bits) => {
  let rest = bits;
  for (let i = 0; i < 4; i++) rest = (rest & 1) === 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});
