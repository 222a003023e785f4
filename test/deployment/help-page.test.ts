import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { plainBuild } from "../../deployment/build-settings";
import { contentSecurityPolicy, helpSecurityPolicy } from "../../deployment/content-security-policy";
import { helpPageFor } from "../../deployment/help-page";
import { writtenPages } from "../../src/help/written-pages";

const pages = writtenPages(
  (path) => readFileSync(resolve(import.meta.dirname, "../../src/help/pages", path), "utf8"),
  [],
  {},
);
const source = (wanted: string) => pages.find(({ path }) => path === wanted) ?? { path: wanted, html: "" };
const dev = {
  ...plainBuild,
  environment: "DEV",
  supportAddress: "https://intranet.example.com/regdata?a&b",
  service: { baseUrl: "https://data.example.com", isFixed: true },
};

describe("a page of the help", () => {
  it("brings its policy before anything that it loads", () => {
    for (const path of ["help.html", "support.html"]) {
      const [head = ""] = helpPageFor(source(path), plainBuild).split(/<link|<script/);
      expect(head).toContain(`<meta http-equiv="Content-Security-Policy" content="${helpSecurityPolicy}" />`);
    }
    expect(helpSecurityPolicy).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'",
    );
  });

  it("has the environment's names, but the settings' addresses as they are", () => {
    expect(helpPageFor(source("help.html"), dev)).toContain('=REGDATA_DEV.VALUE("06001", 1003)');
    const support = helpPageFor(source("support.html"), dev);
    expect(support).toContain("Support: RegData DEV for Excel");
    expect(support).toContain('<a href="https://intranet.example.com/regdata?a&amp;b">');
    expect(helpPageFor(source("support.html"), plainBuild)).not.toContain("https://");
  });

  it("mentions no address to enter if the address is fixed", () => {
    expect(helpPageFor(source("help.html"), plainBuild)).toContain("your service's address and your API key");
    expect(helpPageFor(source("help.html"), dev)).not.toContain("service's address");
  });
});

describe("the policy of the pane", () => {
  it("allows scripts from its own server and Microsoft's alone, none inline, and no eval", () => {
    for (const service of [null, "https://data.example.com"]) {
      const rules = contentSecurityPolicy(service).split("; ");
      // Requests are held by the next test.
      expect(rules.filter((rule) => !rule.startsWith("connect-src"))).toEqual([
        "default-src 'none'",
        "script-src 'self' https://officeapis.public.onecdn.static.microsoft https://appsforoffice.microsoft.com",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "object-src 'none'",
      ]);
    }
  });

  it("lets requests go only to the fixed service, if there is one", () => {
    const connections = (origin: string | null) =>
      /connect-src ([^;]*)/.exec(contentSecurityPolicy(origin))?.[1];
    expect(connections("https://data.example.com")).toBe("'self' https://data.example.com");
    expect(connections(null)).toBe(
      "'self' https: http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*",
    );
  });
});
