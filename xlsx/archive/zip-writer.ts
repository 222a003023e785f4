import { deflated } from "#raw-deflate";
import { crc32 } from "./crc32";
import type { ZipEntry } from "./zip-reader";

/** 1 January 1980, the first day that a zip knows: new parts bear it, so that the same changes give the same bytes. */
const FIRST_DAY = 0x00210000;

/** An entry with new content: under the name, date and attributes of the one it replaces. */
export function packedEntry(name: string, content: Uint8Array, replaced?: ZipEntry): ZipEntry {
  const compressed = deflated(content);
  const isSmaller = compressed.length < content.length;
  return {
    name,
    nameBytes: replaced?.nameBytes ?? new TextEncoder().encode(name),
    method: isSmaller ? 8 : 0,
    crc: crc32(content),
    compressed: isSmaller ? compressed : content,
    size: content.length,
    modified: replaced?.modified ?? FIRST_DAY,
    isUtf8: replaced?.isUtf8 ?? false,
    madeBy: replaced?.madeBy ?? 20,
    attributes: replaced?.attributes ?? 0,
  };
}

/** A zip of these entries in this order; the data of each goes in as it is. */
export function zipOf(entries: ZipEntry[]): Uint8Array {
  const dataBytes = sum(
    entries.map(({ nameBytes, compressed }) => 30 + nameBytes.length + compressed.length),
  );
  const directoryBytes = sum(entries.map(({ nameBytes }) => 46 + nameBytes.length));
  const bytes = new Uint8Array(dataBytes + directoryBytes + 22);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const offsets = entries.map((entry) => {
    const offset = at;
    view.setUint32(at, 0x04034b50, true);
    writeHeader(view, at + 4, entry);
    bytes.set(entry.nameBytes, at + 30);
    bytes.set(entry.compressed, at + 30 + entry.nameBytes.length);
    at += 30 + entry.nameBytes.length + entry.compressed.length;
    return offset;
  });
  entries.forEach((entry, index) => {
    view.setUint32(at, 0x02014b50, true);
    view.setUint16(at + 4, entry.madeBy, true);
    writeHeader(view, at + 6, entry);
    view.setUint32(at + 38, entry.attributes, true);
    view.setUint32(at + 42, offsets[index] ?? 0, true);
    bytes.set(entry.nameBytes, at + 46);
    at += 46 + entry.nameBytes.length;
  });
  view.setUint32(at, 0x06054b50, true);
  view.setUint16(at + 8, entries.length, true);
  view.setUint16(at + 10, entries.length, true);
  view.setUint32(at + 12, directoryBytes, true);
  view.setUint32(at + 16, dataBytes, true);
  return bytes;
}

/** The fields that stand the same before an entry and in the directory. */
function writeHeader(view: DataView, at: number, entry: ZipEntry): void {
  view.setUint16(at, 20, true);
  view.setUint16(at + 2, entry.isUtf8 ? 0x800 : 0, true);
  view.setUint16(at + 4, entry.method, true);
  view.setUint32(at + 6, entry.modified, true);
  view.setUint32(at + 10, entry.crc, true);
  view.setUint32(at + 14, entry.compressed.length, true);
  view.setUint32(at + 18, entry.size, true);
  view.setUint16(at + 22, entry.nameBytes.length, true);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
