import { inflatedUpTo } from "#raw-deflate";
import { type FileLimits, SMALL_PART_BYTES } from "../file-limits";
import { broken, tooLarge, WorkbookFileError } from "../workbook-file-error";
import { crc32 } from "./crc32";

/** An entry as it stands in a zip, its data still compressed. */
export interface ZipEntry {
  /** As the zip has it, with slashes forward and none in front. */
  name: string;
  /** The name's bytes, to be written as they were. */
  nameBytes: Uint8Array;
  /** 0 stored, 8 deflated. */
  method: number;
  crc: number;
  compressed: Uint8Array;
  /** Bytes when inflated, as the zip says; `inflated` checks it. */
  size: number;
  /** Date and time as the zip has them. */
  modified: number;
  /** The name is in UTF-8. */
  isUtf8: boolean;
  madeBy: number;
  attributes: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const END_BYTES = 22;
const BELOW_32_BITS = 0xffffffff;

/** True if the bytes begin as a zip does. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** The entries of a zip in the order of its directory; folders are among them. Throws a WorkbookFileError. */
export function zipEntries(bytes: Uint8Array, limits: FileLimits): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readDirectory(bytes, view, limits);
  } catch (error) {
    // An offset that points outside of the file.
    if (error instanceof RangeError) throw broken("its list of parts points outside of the file");
    throw error;
  }
}

function readDirectory(bytes: Uint8Array, view: DataView, limits: FileLimits): ZipEntry[] {
  const { count, offset } = directory(view);
  if (count > limits.entries) throw tooLarge(`it has ${count} parts`);
  const entries: ZipEntry[] = [];
  let at = offset;
  let lastEnd = 0;
  const areas: [start: number, end: number][] = [];
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== CENTRAL) throw broken("its list of parts is cut off");
    const flags = view.getUint16(at + 8, true);
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const commentLength = view.getUint16(at + 32, true);
    const nameBytes = slice(bytes, at + 46, nameLength);
    const isUtf8 = (flags & 0x800) !== 0;
    const name = entryName(nameBytes);
    if (flags & 1) {
      throw new WorkbookFileError(
        "encrypted",
        "The file is encrypted. Save it without a password first.",
        name,
      );
    }
    const method = view.getUint16(at + 10, true);
    if (method !== 0 && method !== 8) {
      throw new WorkbookFileError(
        "unsupported",
        "The file is packed in a way that Excel does not use. Open it in Excel, save it, and try again.",
        `${name}: method ${method}`,
      );
    }
    const sizes = entrySizes(view, at, at + 46 + nameLength, extraLength);
    if (view.getUint32(sizes.offset, true) !== LOCAL)
      throw broken(`${name} is not where the list of parts says`);
    const start =
      sizes.offset + 30 + view.getUint16(sizes.offset + 26, true) + view.getUint16(sizes.offset + 28, true);
    areas.push([sizes.offset, start + sizes.compressed]);
    entries.push({
      name,
      nameBytes,
      method,
      crc: view.getUint32(at + 16, true),
      compressed: slice(bytes, start, sizes.compressed),
      size: sizes.size,
      modified: view.getUint32(at + 12, true),
      isUtf8,
      madeBy: view.getUint16(at + 4, true),
      attributes: view.getUint32(at + 38, true),
    });
    at += 46 + nameLength + extraLength + commentLength;
  }
  // Entries that share bytes are how a small file holds an endless one.
  for (const [start, end] of areas.sort(([one], [other]) => one - other)) {
    if (start < lastEnd) throw broken("its parts lie over each other");
    lastEnd = end;
  }
  return entries;
}

function directory(view: DataView): { count: number; offset: number } {
  const first = Math.max(0, view.byteLength - END_BYTES - 0xffff);
  let at = view.byteLength - END_BYTES;
  while (at >= first && view.getUint32(at, true) !== END) at--;
  if (at < first) throw broken("it is cut off");
  const count = view.getUint16(at + 10, true);
  const offset = view.getUint32(at + 16, true);
  if (count !== 0xffff && offset !== BELOW_32_BITS) return { count, offset };
  if (at < 20 || view.getUint32(at - 20, true) !== LOCATOR_64) return { count, offset };
  const end = number64(view, at - 20 + 8);
  if (view.getUint32(end, true) !== END_64) throw broken("its list of parts is not where it should be");
  return { count: number64(view, end + 32), offset: number64(view, end + 48) };
}

/** Sizes and place of an entry's data. Sizes of 64 bits stand in an extra field. */
function entrySizes(view: DataView, at: number, extraAt: number, extraLength: number) {
  const found = {
    compressed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
  let field = extraAt;
  while (field + 4 <= extraAt + extraLength) {
    const length = view.getUint16(field + 2, true);
    if (view.getUint16(field, true) === 1) {
      let from = field + 4;
      for (const name of ["size", "compressed", "offset"] as const) {
        if (found[name] !== BELOW_32_BITS || from + 8 > field + 4 + length) continue;
        found[name] = number64(view, from);
        from += 8;
      }
    }
    field += 4 + length;
  }
  return found;
}

function number64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

function slice(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length > bytes.length) throw broken("it is cut off");
  return bytes.subarray(start, start + length);
}

const utf8 = new TextDecoder("utf-8");

function entryName(bytes: Uint8Array): string {
  return utf8.decode(bytes).replaceAll("\\", "/").replace(/^\/+/, "");
}

/** An entry's content. `room` is how many bytes it may have. Throws a WorkbookFileError. */
export function inflated(entry: ZipEntry, limits: FileLimits, room: number): Uint8Array {
  const { name, compressed, size } = entry;
  if (size > Math.min(limits.partBytes, room)) throw tooLarge(`its part ${name} has ${size} bytes`);
  if (size > SMALL_PART_BYTES && size > compressed.length * limits.ratio) {
    throw tooLarge(`its part ${name} is packed more tightly than any workbook`);
  }
  const content = entry.method === 0 ? compressed : inflate(compressed, size, name);
  if (content.length !== size || crc32(content) !== entry.crc) throw broken(`${name} is not as it was saved`);
  return content;
}

function inflate(compressed: Uint8Array, size: number, name: string): Uint8Array {
  try {
    return inflatedUpTo(compressed, size);
  } catch {
    throw broken(`${name} can't be unpacked`);
  }
}
