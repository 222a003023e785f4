import { describe, expect, it } from "vitest";
import { holdsOfKey } from "../../src/key-forms";
import { createSignature, signatureOf } from "../../src/settings/signature";
import { memoryStorage } from "./memory-storage";

const active = { baseUrl: "https://service.test/data", key: "marked-key-1234" };

describe("the name under which an import was refreshed", () => {
  it("is told only if the user allows it, on this device", async () => {
    const storage = memoryStorage();
    const signature = createSignature(storage);
    await signature.read();
    expect(signature.current()).toBe(false);
    await signature.change(() => true);
    const again = createSignature(storage);
    await again.read();
    expect(again.current()).toBe(true);
  });

  it("is the connection's, or its host's, and never one that a key was typed into", () => {
    expect(signatureOf([], active)).toBe("service.test");
    expect(signatureOf([{ ...active, name: "West office" }], active)).toBe("West office");
    expect(signatureOf([{ ...active, name: `my ${active.key}` }], active)).toBeUndefined();
    for (const cutOff of [active.key.slice(0, 8), `West ${active.key.slice(3)}`]) {
      expect(signatureOf([{ ...active, name: cutOff }], active)).toBeUndefined();
    }
    expect(signatureOf([{ ...active, name: active.key.slice(0, 7) }], active)).toBe("marked-");
    expect(holdsOfKey("short", "ort")).toBe(true);
  });
});
