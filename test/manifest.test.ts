import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type * as Tool from "office-addin-manifest";
import { describe, expect, it } from "vitest";
import shortcuts from "../src/shortcuts.json" with { type: "json" };
import { readShortcuts } from "../workbench/addin/shortcuts";
import { registeredFunctions } from "../src/workbook/formula-text/formula-examples";
import { argumentChoices } from "../src/workbook/formula-text/argument-choices";
import { ribbonCommands, shortcutCommands } from "../src/ribbon-commands";

const { OfficeAddinManifest } = createRequire(import.meta.url)("office-addin-manifest") as typeof Tool;
const dist = resolve(import.meta.dirname, "../dist");
const xml = readFileSync(resolve(dist, "manifest.xml"), "utf8");
const base = "https://localhost:3000/addin/";

const resources = new Map(
  [...xml.matchAll(/<bt:(Image|Url|String) id="([^"]+)" DefaultValue="([^"]*)"/g)].map(
    ([, kind, id, value]) => [id, { kind, value }] as const,
  ),
);
const usedIds = [...xml.matchAll(/resid="([^"]+)"/g)].map(([, id]) => id ?? "");
const addresses = [...xml.matchAll(/"(https?:[^"]+)"/g)]
  .map(([, address]) => address ?? "")
  .filter((address) => !/schemas\.microsoft\.com|w3\.org/.test(address));

describe("the manifest", () => {
  it("is read by Microsoft's tool", async () => {
    const manifest = await OfficeAddinManifest.readManifestFile(resolve(dist, "manifest.xml"));
    expect(manifest).toMatchObject({
      id: "5b0f6f3e-9c1d-4f7e-8a52-3f6d2c7b9e14",
      displayName: "RegData for Excel",
      version: "0.1.0.0",
    });
  });

  it("has every resource that it names, and names every resource that it has", () => {
    expect([...new Set(usedIds)].sort()).toEqual([...resources.keys()].sort());
  });

  it("keeps to Excel's lengths", () => {
    for (const [id, { value }] of resources) {
      expect((id ?? "").length, id).toBeLessThanOrEqual(32);
      expect((value ?? "").length, id).toBeLessThanOrEqual(250);
    }
    const short = /<bt:ShortStrings>(.*)<\/bt:ShortStrings>/s.exec(xml)?.[1] ?? "";
    for (const [, value] of short.matchAll(/DefaultValue="([^"]*)"/g)) {
      expect(value?.length).toBeLessThanOrEqual(125);
    }
  });

  it("has keys for functions that the add-in has, each once, in a file beside the pane", () => {
    const url = /<ExtendedOverrides Url="([^"]+)"/.exec(xml)?.[1];
    expect(url).toBe(new URL("shortcuts.json", /SourceLocation DefaultValue="([^"]+)"/.exec(xml)?.[1]).href);
    const keys = readShortcuts(shortcuts);
    expect(keys.length).toBe(shortcuts.actions.length);
    expect(shortcutCommands).toEqual(expect.arrayContaining(keys.map(({ action }) => action)));
  });

  it("has a button for each command of the ribbon, and no button without its command", () => {
    const named = [...xml.matchAll(/<FunctionName>([^<]+)</g)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual([...ribbonCommands].sort());
  });

  it("uses https everywhere", () => {
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) expect(address).toMatch(/^https:\/\//);
  });

  it("names only files that are built", () => {
    const files = addresses.filter((address) => address.startsWith(base));
    expect(files.length).toBeGreaterThan(8);
    for (const address of files)
      expect(existsSync(resolve(dist, address.slice(base.length))), address).toBe(true);
  });

  it("runs runtime, page, script, function file and pane on one page", () => {
    const runtime = /<Runtime resid="([^"]+)" lifetime="long"/.exec(xml)?.[1];
    const pages = [
      ...xml.matchAll(
        /<(?:Page|Script|Action[^>]*)>\s*(?:<TaskpaneId>[^<]*<\/TaskpaneId>\s*)?<SourceLocation resid="([^"]+)"/g,
      ),
      ...xml.matchAll(/<FunctionFile resid="([^"]+)"/g),
    ].map(([, id]) => id);
    expect(pages).toHaveLength(4);
    expect(new Set(pages)).toEqual(new Set([runtime]));
    expect(resources.get(runtime)?.value).toBe(/<SourceLocation DefaultValue="([^"]+)"/.exec(xml)?.[1]);
  });

  it("puts the functions under REGDATA", () => {
    expect(resources.get("Functions.Namespace")?.value).toBe("REGDATA");
  });

  it("has icons of 16, 32, 64 and 80 pixels, each of its size", () => {
    const sizes = new Set<number>();
    for (const address of addresses.filter((candidate) => candidate.endsWith(".png"))) {
      const png = readFileSync(resolve(dist, address.slice(base.length)));
      const named = Number(/-(\d+)\.png$/.exec(address)?.[1]);
      expect([png.readUInt32BE(16), png.readUInt32BE(20)], address).toEqual([named, named]);
      sizes.add(named);
    }
    expect(sizes).toEqual(new Set([16, 32, 64, 80]));
  });
});

const functionsFile = () =>
  JSON.parse(readFileSync(resolve(dist, "functions.json"), "utf8")) as {
    functions: {
      id: string;
      name: string;
      result: object;
      parameters: { name: string; type: string; customEnumId?: string }[];
    }[];
    enums: { id: string; type: string; values: { name: string; stringValue: string; tooltip: string }[] }[];
  };

describe("the built pages", () => {
  it("load office.js from Microsoft's CDN, before the add-in's own script", () => {
    const html = readFileSync(resolve(dist, "taskpane.html"), "utf8");
    const scripts = [...html.matchAll(/<script[^>]*src="([^"]+)"/g)].map(([, source]) => source);
    expect(scripts).toEqual([
      "https://officeapis.public.onecdn.static.microsoft/1/office.js",
      expect.stringMatching(/^main\.[0-9a-f]{8}\.js$/),
    ]);
  });

  it("declare every result as a matrix, without which Excel shows #VALUE! for rows (OfficeDev/office-js#2486)", () => {
    for (const { name, result } of functionsFile().functions)
      expect(result, name).toEqual({ dimensionality: "matrix" });
  });

  it("allow data types, but not errors as arguments: with both, Excel 2021 LTSC crashes (OfficeDev/office-js#4385)", () => {
    const { functions: _, enums: __, ...flags } = functionsFile();
    expect(flags).toEqual({ allowCustomDataForDataTypeAny: true });
  });

  it("suggest words in the formula bar, for arguments that still take numbers and blanks as they are", () => {
    const { functions, enums } = functionsFile();
    const suggested = functions.flatMap(({ name, parameters }) =>
      parameters.flatMap((parameter) => {
        expect(parameter.type, name).toBe("any");
        return parameter.customEnumId ? [`${name} ${parameter.name} ${parameter.customEnumId}`] : [];
      }),
    );
    expect(suggested).toEqual([
      ...["VALUE field field", "MATRIX field field", "COLLECTION layout layout"],
      ...["FIND match match", "FIND show show"],
    ]);
    const { field, layout, match, show } = argumentChoices;
    const words = enums.map(({ id, type, values }) => [id, type, values.map((one) => one.stringValue)]);
    expect(words).toEqual(
      Object.entries({ field, layout, match, show }).map(([id, choices]) => [id, "string", [...choices]]),
    );
  });

  it("list the functions that Excel shows", () => {
    const { functions } = functionsFile();
    expect(functions.map(({ name }) => name)).toEqual(registeredFunctions);
  });
});
