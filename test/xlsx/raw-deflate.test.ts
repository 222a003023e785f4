import { describe, expect, it } from "vitest";
import * as anywhere from "../../xlsx/archive/raw-deflate";
import * as inNode from "../../xlsx/archive/raw-deflate-in-node";

/** Bytes that can hardly be deflated, so that their data is inflated in several pieces. */
const long = Uint8Array.from({ length: 200_000 }, (_, at) => (at * at * 31 + at * 7) >> 3);
const contents = { nothing: new Uint8Array(0), "one byte": new Uint8Array([7]), "many bytes": long };

describe.each([
  { reader: "a page's", written: inNode, read: anywhere },
  { reader: "Node's", written: anywhere, read: inNode },
])("$reader way to inflate", ({ written, read }) => {
  it.each(Object.entries(contents))("gives back %s that the other one deflated", (_, content) => {
    const inflated = read.inflatedUpTo(written.deflated(content), content.length);
    expect(Buffer.from(inflated).equals(content)).toBe(true);
  });

  it("refuses content that is longer than it may be, in one piece or several", () => {
    for (const content of [long.subarray(0, 1_000), long])
      expect(() => read.inflatedUpTo(written.deflated(content), content.length - 1)).toThrow();
  });

  it("refuses data that is cut off", () => {
    const data = written.deflated(long);
    expect(() => read.inflatedUpTo(data.subarray(0, data.length - 10), long.length)).toThrow();
  });
});
