import { deflateSync, Inflate, inflateSync } from "fflate";

/** Compressed bytes that are inflated at once, so that what comes of them is bounded before it is looked at. */
const CHUNK_BYTES = 2 ** 15;

/** Deflates the content of a zip's entry. Node loads `raw-deflate-in-node` in place of this file. */
export function deflated(content: Uint8Array): Uint8Array {
  return deflateSync(content, { level: 3 });
}

/** Inflates the data of a zip's entry. Throws an Error if the data is not whole, or has more than `mostBytes`. */
export function inflatedUpTo(compressed: Uint8Array, mostBytes: number): Uint8Array {
  // One byte more than it may have tells whether it has.
  if (compressed.length <= CHUNK_BYTES)
    return withinBytes(inflateSync(compressed, { out: new Uint8Array(mostBytes + 1) }), mostBytes);
  const content = new Uint8Array(mostBytes);
  let length = 0;
  const stream = new Inflate((chunk) => {
    withinBytes(chunk, mostBytes - length);
    content.set(chunk, length);
    length += chunk.length;
  });
  for (let at = 0; at < compressed.length; at += CHUNK_BYTES)
    stream.push(compressed.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= compressed.length);
  return content.subarray(0, length);
}

function withinBytes(bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.length > most) throw new RangeError("the content is longer than it may be");
  return bytes;
}
