import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseBuildSettings, settingsFile } from "../../deployment/build-settings";
import { uploadSteps } from "../../deployment/upload";

const id = "b0c6b8a2-5c1b-4b57-9d0e-6c9b1f2a7d31";
const needed = { addInAddress: "https://tools.example.com/regdata", id };
const parse = (settings: object) => parseBuildSettings(JSON.stringify(settings));

describe("the settings of a build", () => {
  it("need only two values, from which the others are made", () => {
    expect(parse(needed)).toEqual({
      addInAddress: "https://tools.example.com/regdata/",
      service: null,
      environment: "",
      id,
      displayName: "RegData for Excel",
      supportAddress: "https://tools.example.com/regdata/help/support.html",
      dataTypes: true,
      officeScript: "https://officeapis.public.onecdn.static.microsoft/1/office.js",
    });
  });

  it("are cleaned up if they are written in other ways", () => {
    const settings = parse({
      addInAddress: " https://Tools.Example.com/regdata// ",
      id: id.toUpperCase(),
      serviceAddress: "http://localhost:8080/api/v1/",
      usersMayChangeService: false,
      environment: "dev",
      dataTypes: false,
      officeScript: "https://appsforoffice.microsoft.com/lib/1/hosted/office.js",
    });
    expect(settings).toEqual({
      addInAddress: "https://tools.example.com/regdata/",
      service: { baseUrl: "http://localhost:8080/api", isFixed: true },
      environment: "DEV",
      id,
      displayName: "RegData DEV for Excel",
      supportAddress: "https://tools.example.com/regdata/help/support.html",
      dataTypes: false,
      officeScript: "https://appsforoffice.microsoft.com/lib/1/hosted/office.js",
    });
  });

  it("let users change the address unless that is forbidden", () => {
    const serviceAddress = "https://data.example.com";
    expect(parse({ ...needed, serviceAddress }).service).toEqual({ baseUrl: serviceAddress, isFixed: false });
  });

  it.each([
    ["no address", { id }, /^addInAddress is missing/],
    ["http", { ...needed, addInAddress: "http://localhost/x" }, /^addInAddress must begin with https/],
    ["half an address", { ...needed, addInAddress: "tools/regdata" }, /^addInAddress is no whole address/],
    ["a query", { ...needed, addInAddress: "https://x.example/?a" }, /^addInAddress must end with its path/],
    [
      "a folder with a blank",
      { ...needed, addInAddress: "https://x.example/my folder/" },
      /^addInAddress must do without blanks/,
    ],
    [
      "a service whose name ends a policy",
      { ...needed, serviceAddress: "https://a;b.com" },
      /^serviceAddress can't be used: .*host name/,
    ],
    ["a service whose name ends an attribute", { ...needed, serviceAddress: 'https://a"b.com' }, /host name/],
    ["no id", { addInAddress: needed.addInAddress }, /^id is missing/],
    ["no GUID", { ...needed, id: "regdata" }, /^id is no GUID such as [0-9a-f-]{36}\.$/],
    ["our id", { ...needed, id: "5B0F6F3E-9c1d-4f7e-8a52-3f6d2c7b9e14" }, /^id is that of a build without/],
    [
      "a service in the clear",
      { ...needed, serviceAddress: "http://data.example.com" },
      /^serviceAddress can't/,
    ],
    [
      "text for a flag",
      { ...needed, usersMayChangeService: "no" },
      /^usersMayChangeService is true or false/,
    ],
    ["a lock on nothing", { ...needed, usersMayChangeService: false }, /^serviceAddress is missing/],
    ["a blank in a namespace", { ...needed, environment: "MY DEV" }, /^environment takes a letter/],
    ["a digit at its start", { ...needed, environment: "1" }, /^environment takes a letter/],
    ["a long environment", { ...needed, environment: "ACCEPTANCES" }, /^environment takes a letter/],
    ["no name", { ...needed, displayName: " " }, /^displayName takes 1 to 125/],
    [
      "office.js of somebody else",
      { ...needed, officeScript: "https://cdn.example.com/office.js" },
      /^officeScript is not one of Microsoft's addresses: https:\/\/officeapis/,
    ],
    ["support by mail", { ...needed, supportAddress: "mailto:a@example.com" }, /^supportAddress must begin/],
    [
      "a slip",
      { ...needed, enviroment: "DEV" },
      /^enviroment: there is no such setting; there are addInAddress/,
    ],
    ["a list", [], /^The file must hold one object/],
  ])("are refused by the setting's name: %s", (_, settings, message) => {
    expect(() => parse(settings)).toThrow(message);
  });

  it("are refused all at once, and as a whole if the file is no JSON", () => {
    expect(() => parse({ id: "x", environment: "-" })).toThrow(/addInAddress.*\nid.*\nenvironment/);
    expect(() => parseBuildSettings("addInAddress: x")).toThrow(/^The file is no JSON/);
  });

  it("are the ones that the documentation lists", () => {
    const page = readFileSync(resolve(import.meta.dirname, "../../docs/deploy.md"), "utf8");
    const listed = [...page.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(
      ([, name, text, without]) => ({
        name,
        text,
        isNeeded: without === "needed",
      }),
    );
    expect(listed).toEqual(
      Object.entries(settingsFile.shape).map(([name, setting]) => ({
        name,
        text: setting.description,
        isNeeded: !setting.safeParse(undefined).success,
      })),
    );
    const example = /```json\n(.*?)```/s.exec(page)?.[1] ?? "";
    expect(Object.keys(JSON.parse(example) as object).sort()).toEqual(Object.keys(settingsFile.shape).sort());
    expect(parseBuildSettings(example).service?.isFixed).toBe(true);
  });
});

describe("the message after a build", () => {
  const fixed = { ...needed, serviceAddress: "https://data.example.com", usersMayChangeService: false };

  it("says where the files go, how long they may be kept, and what to do with the manifest", () => {
    const text = uploadSteps(parse({ ...needed, environment: "DEV" }), "1.2.3");
    expect(text).toContain("RegData DEV for Excel, version 1.2.3. Formulas begin with =REGDATA_DEV.");
    expect(text).toMatch(/but manifest\.xml.*, to\n +https:\/\/tools\.example\.com\/regdata\/\n/);
    expect(text).toMatch(
      /immutable" with scripts \(\*\.js\), and\n.*"Cache-Control: no-cache" with everything else/,
    );
    expect(text).toContain('"Access-Control-Allow-Origin: *" with functions.json and shortcuts.json');
    expect(text).toContain("admin center");
    expect(text).toContain("Users enter the service's address.");
  });

  it("names the service, and what it must allow unless it has the same origin", () => {
    expect(uploadSteps(parse(fixed), "1.2.3")).toContain("Keys go to https://data.example.com alone.");
    expect(uploadSteps(parse(fixed), "1.2.3")).toContain("admits https://tools.example.com (CORS)");
    const relayed = uploadSteps(
      parse({ ...fixed, serviceAddress: "https://tools.example.com/api" }),
      "1.2.3",
    );
    expect(relayed).not.toContain("CORS");
  });
});
