import { createHash } from "node:crypto";

/**
 * Node makes digests in threads of their own, which a busy machine keeps waiting for longer than any number of turns takes,
 * and a played clock goes on without them. Here they are there at once.
 */
crypto.subtle.digest = (algorithm, data) => {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  const digest = createHash(algorithm as string)
    .update(bytes)
    .digest();
  return Promise.resolve(Uint8Array.from(digest).buffer);
};
