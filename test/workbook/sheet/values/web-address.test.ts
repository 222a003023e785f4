import { describe, expect, it } from "vitest";
import { webAddress } from "../../../../src/workbook/sheet/values/web-address";

describe("a web address in a text", () => {
  it("ends before the marks of the sentence that it stands in", () => {
    expect(webAddress("See (https://service.test/a.b?c=1).")).toBe("https://service.test/a.b?c=1");
    expect(webAddress("https://service.test/a!b...")).toBe("https://service.test/a!b");
  });

  it.each([
    ["http://service.test", "http://service.test"],
    ["HTTPS://service.test", "HTTPS://service.test"],
    ["xhttps://service.test", undefined],
    ["ftp://service.test", undefined],
    ["https://", undefined],
    ["https://[", undefined],
    ["https://service.test:99999", undefined],
    ['<a href="https://service.test/a">b</a>', "https://service.test/a"],
    ["'https://service.test/a'b", "https://service.test/a"],
    ["https://service.test/a<b", "https://service.test/a"],
    ["https://service.test/a>b", "https://service.test/a"],
    ["https://service.test/a\nb", "https://service.test/a"],
    ["https://service.test/a,", "https://service.test/a"],
    ["https://service.test/a]}", "https://service.test/a"],
    ["https:/service.test", undefined],
    ["none", undefined],
    ["", undefined],
  ])("of %j is %j", (text, address) => {
    expect(webAddress(text)).toBe(address);
  });

  it("may have 2,000 characters", () => {
    const longest = `https://service.test/${"x".repeat(1_979)}`;
    expect(webAddress(longest)).toBe(longest);
    expect(webAddress(`${longest}x`)).toBeUndefined();
  });

  it("is not recognized if it is longer than Excel takes, which is quick whatever it holds", () => {
    expect(webAddress(`https://service.test/${".".repeat(900_000)}a`)).toBeUndefined();
    expect(webAddress(`https://service.test/a${".".repeat(900_000)}`)).toBe("https://service.test/a");
  });
});
