import { describe, expect, it } from "vitest";
import { holdsOfKey, keyForms } from "../../src/settings/key-forms";
import { createSignature, signatureOf } from "../../src/settings/signature";
import { jsonPart } from "../../src/workbook/sheet/parts/json-part";
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

describe("the forms in which a key may stand in a file", () => {
  it("are as it is, in a web address, in XML, in JSON, in parts of this add-in and in base64", () => {
    expect(keyForms(active.key)).toEqual([active.key, "bWFya2VkLWtleS0xMjM0"]);
    const own = jsonPart("x", "urn:x", { text: 'a<b"&c/d' });
    expect(keyForms('a<b"&c/d').some((form) => own.includes(form))).toBe(true);
    expect(keyForms('a<b"&c/d')).toEqual([
      'a<b"&c/d',
      "a%3Cb%22%26c%2Fd",
      'a&lt;b"&amp;c/d',
      "a&lt;b&quot;&amp;c/d",
      'a<b\\"&c/d',
      'a\\u003cb\\"\\u0026c/d',
      "YTxiIiZjL2Q",
    ]);
  });

  it("are none where it is too short to be told from other text", () => {
    expect(keyForms("12345")).toEqual([]);
  });
});
