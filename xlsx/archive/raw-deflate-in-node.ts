import { deflateRawSync, inflateRawSync } from "node:zlib";

/** As in `raw-deflate`, by Node's own zlib, which takes a tenth of the time in a process that has just started. */
export function deflated(content: Uint8Array): Uint8Array {
  return deflateRawSync(content, { level: 3 });
}

/** As in `raw-deflate`. */
export function inflatedUpTo(compressed: Uint8Array, mostBytes: number): Uint8Array {
  // Room for one byte more: with a full buffer, zlib would make another one to see whether anything follows.
  const chunkSize = Math.max(64, mostBytes + 1);
  return inflateRawSync(compressed, { chunkSize, maxOutputLength: Math.max(1, mostBytes) });
}
