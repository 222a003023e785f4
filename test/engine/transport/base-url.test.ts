import { describe, expect, it } from "vitest";
import { isReadOtherwise, parseBaseUrl } from "../../../src/engine/transport/base-url";

describe("a service address", () => {
  it.each([
    [" https://api.example.com/ ", "https://api.example.com"],
    ["\u00a0https://api.example.com\u00a0", "https://api.example.com"],
    ["https://api.example.com//", "https://api.example.com"],
    ["https://api.example.com/v1", "https://api.example.com"],
    ["https://api.example.com/v1/regdata", "https://api.example.com/v1/regdata"],
    [`https://${"x".repeat(192)}`, `https://${"x".repeat(192)}`],
    ["https://api.example.com/regdata/v1/", "https://api.example.com/regdata"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://127.0.0.1:8080/", "http://127.0.0.1:8080"],
    ["https://api.example.com//v1//", "https://api.example.com"],
    ["https://API.example.com:8443", "https://api.example.com:8443"],
    ["https://good.example.", "https://good.example."],
  ])("%s is read as %s", (text, baseUrl) => {
    expect(parseBaseUrl(text)).toEqual({ baseUrl });
    expect(isReadOtherwise(text, baseUrl)).toBe(false);
  });

  // The address is kept, asked and shown in the browser's form, in which a look-alike shows its true letters.
  it.each([
    ["https://good.example\\@evil.example", "https://good.example/@evil.example"],
    ["https://@evil.example", "https://evil.example"],
    ["https:\\\\evil.example", "https://evil.example"],
    ["https:evil.example", "https://evil.example"],
    ["https://good.example:443/", "https://good.example"],
    ["https://good.example/a/../../b", "https://good.example/b"],
    ["https://\u0430pple.example", "https://xn--pple-43d.example"],
    ["https://b\u00fccher.example/\u00fc", "https://xn--bcher-kva.example/%C3%BC"],
    ["https://\uff47ood.example", "https://good.example"],
    ["https://good\u3002example", "https://good.example"],
    ["https://go\nod.ex%61mple", "https://good.example"],
    ["https://good.example/\u202egnp.exe", "https://good.example/%E2%80%AEgnp.exe"],
    ["http://127.1:8080", "http://127.0.0.1:8080"],
    ["http://LOCALHOST:8080\\@evil.example", "http://localhost:8080/@evil.example"],
  ])("%j is shown as what it really is: %s", (text, baseUrl) => {
    expect(parseBaseUrl(text)).toEqual({ baseUrl });
    expect(new Request(`${baseUrl}/v1/ahjs`).url).toBe(`${baseUrl}/v1/ahjs`);
    expect(isReadOtherwise(text, baseUrl)).toBe(true);
    // Parsed once more, as at the next start, the address stays the same.
    expect(parseBaseUrl(baseUrl)).toEqual({ baseUrl });
  });

  // Node 20's URL.canParse refuses an ü from some five thousand calls on.
  it("is parsed alike however many were parsed before", () => {
    for (let count = 0; count < 20_000; count += 1) {
      expect(parseBaseUrl("https://b\u00fccher.example")).toHaveProperty("baseUrl");
    }
  });

  it.each([
    "http://api.example.com",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "ftp://api.example.com",
    "xhttps://api.example.com",
    "api.example.com",
    "https://user:pass@api.example.com",
    "https://user@api.example.com",
    "https://:pass@api.example.com",
    "https://good.example@evil.example",
    "http://localhost@evil.example",
    "http://localhost:80@evil.example",
    "http://evil.example#@localhost",
    "http://localhost.",
    "http://x.localhost",
    "http://x.localhost:8080",
    "http://127.0.0.2",
    "http://0.0.0.0",
    "http://[::ffff:127.0.0.1]",
    // The page's policy cannot name such an address: every request would fail.
    "http://[::1]:8080",
    "http://192.168.0.1",
    "//evil.example",
    "https://good.example:99999",
    "javascript:alert(1)",
    "blob:https://good.example/1",
    "file:///etc/passwd",
    "https://",
    "https://api.example.com/?key=1",
    `https://api.example.com/${"x".repeat(200)}`,
    "",
  ])("the address %s is refused with a sentence", (text) => {
    expect(parseBaseUrl(text)).toEqual({ problem: expect.stringMatching(/\w+ .*\./) as string });
  });
});
