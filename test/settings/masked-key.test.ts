import { describe, expect, it } from "vitest";
import { maskedKey } from "../../src/settings/masked-key";

describe("a key on show", () => {
  it("gives away at most its last four characters", () => {
    expect(maskedKey("a-very-secret-key")).toBe("••••-key");
    expect(maskedKey("123456789abc")).toBe("••••9abc");
    expect(maskedKey("123456789ab")).toBe("••••");
    expect(maskedKey("short-key")).toBe("••••");
  });
});
