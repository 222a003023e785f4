/** Repeatable chance: the same seeds always give the same sample data, in whatever order they are asked for. */
import { createHash } from "node:crypto";

function mix(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A number from 0 up to 1 (exclusive) that depends only on the seeds. Seeds are integers. */
export function chance(first: number, second: number, third = 0): number {
  let hash = mix((first ^ 0x9e3779b9) | 0);
  hash = mix((Math.imul(hash, 31) + second) | 0);
  hash = mix((Math.imul(hash, 31) + third) | 0);
  return (hash >>> 0) / 0x1_0000_0000;
}

/** The entry at `share` (0 up to 1) of a list. The list must not be empty. */
export function pick<Item>(items: readonly Item[], share: number): Item {
  return items[Math.floor(share * items.length)]!;
}

/** Returns a chooser that picks each entry as often as its weight says. Throws on an empty list. */
export function byWeight<Item extends { weight: number }>(items: readonly Item[]): (share: number) => Item {
  if (items.length === 0) throw new Error("nothing to choose from");
  let total = 0;
  const upTo = items.map((item) => (total += item.weight));
  return (share) => items[upTo.findIndex((bound) => share * total < bound)]!;
}

/** A UUID (version 8, RFC 9562) made from a name. */
export function uuidOf(name: string): string {
  const bytes = createHash("sha256").update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
