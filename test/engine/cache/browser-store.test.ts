import { afterEach, describe, expect, it, vi } from "vitest";
import { createBrowserDisk } from "../../../src/engine/cache/browser-store";

const original = Object.getOwnPropertyDescriptor(globalThis, "indexedDB");
afterEach(() => {
  if (original) Object.defineProperty(globalThis, "indexedDB", original);
  else Reflect.deleteProperty(globalThis, "indexedDB");
});

function browserWith(get: () => IDBFactory | undefined) {
  Object.defineProperty(globalThis, "indexedDB", { configurable: true, get });
  const onFailure = vi.fn();
  return { disk: createBrowserDisk(onFailure), onFailure };
}

describe("a browser", () => {
  it("without a disk has nothing left of a space", async () => {
    const { disk } = browserWith(() => undefined);
    expect(await disk.clear("space")).toBe(true);
  });

  it("that denies its disk may have kept something before", async () => {
    const { disk, onFailure } = browserWith(() => {
      throw new DOMException("denied", "SecurityError");
    });
    expect(await disk.clear("space")).toBe(false);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });
});
