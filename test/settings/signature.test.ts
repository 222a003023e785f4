import { describe, expect, it } from "vitest";
import { holdsOfKey, keyForms } from "../../src/settings/key-forms";
import { createSignature, signatureOf } from "../../src/settings/signature";
import { memoryStorage } from "../memory-storage";

const active = { baseUrl: "https://service.test/data", key: "marked-key-1234" };

describe("the name under which an import was refreshed", () => {
  it("is told only where the user allows it, on this device", async () => {
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

describe("the forms in which a key may stand in a workbook", () => {
  it("are the key itself, in a web address and in XML, each once", () => {
    expect(keyForms(active.key)).toEqual([active.key]);
    expect(keyForms('a<b"&c/d>')).toEqual(['a<b"&c/d>', "a%3Cb%22%26c%2Fd%3E", 'a&lt;b"&amp;c/d&gt;']);
  });

  it("are none where the key is too short to be told from other text", () => {
    expect(keyForms("12345")).toEqual([]);
    expect(keyForms("123456")).toEqual(["123456"]);
  });
});
