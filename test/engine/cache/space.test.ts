import { describe, expect, it } from "vitest";
import { serviceSpace, spaceOf } from "../../../src/engine/cache/space";

const baseUrl = "https://service.test";

describe("the name of a space", () => {
  it("is the same for the same address and key", async () => {
    expect(await spaceOf(baseUrl, "a-key")).toBe(await spaceOf(baseUrl, "a-key"));
    expect(await serviceSpace(baseUrl)).toBe(await serviceSpace(baseUrl));
  });

  it("differs by key and by address, and by where one ends and the other begins", async () => {
    const names = await Promise.all([
      spaceOf(baseUrl, "a-key"),
      spaceOf(baseUrl, "another-key"),
      spaceOf("https://other.test", "a-key"),
      spaceOf(`${baseUrl}a`, "-key"),
      spaceOf(baseUrl, ""),
      serviceSpace(baseUrl),
      serviceSpace("https://other.test"),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("shows nothing of key or address", async () => {
    expect(await spaceOf(baseUrl, "a-key")).toMatch(/^[0-9a-f]{64}$/);
    expect(await serviceSpace(baseUrl)).toMatch(/^[0-9a-f]{64}$/);
  });
});
