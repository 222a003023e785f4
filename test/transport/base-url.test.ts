import { describe, expect, it } from "vitest";
import { parseBaseUrl } from "../../src/transport/base-url";

describe("a service address", () => {
  it.each([
    [" https://api.example.com/ ", "https://api.example.com"],
    ["https://api.example.com/v1", "https://api.example.com"],
    ["https://api.example.com/regdata/v1/", "https://api.example.com/regdata"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://127.0.0.1:8080/", "http://127.0.0.1:8080"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ])("%s is read as %s", (text, baseUrl) => {
    expect(parseBaseUrl(text)).toEqual({ baseUrl });
  });

  it.each([
    "http://api.example.com",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "ftp://api.example.com",
    "api.example.com",
    "https://user:pass@api.example.com",
    "https://api.example.com/?key=1",
    `https://api.example.com/${"x".repeat(200)}`,
    "",
  ])("%s is refused with a sentence", (text) => {
    expect(parseBaseUrl(text)).toEqual({ problem: expect.stringMatching(/\w+ .*\./) as string });
  });
});
