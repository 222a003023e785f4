import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type * as Tool from "office-addin-manifest";
import { afterAll, describe, expect, it } from "vitest";
import { type BuildSettings, parseBuildSettings, plainBuild } from "../../deployment/build-settings";
import { manifestFor } from "../../deployment/manifest-for";

const { OfficeAddinManifest } = createRequire(import.meta.url)("office-addin-manifest") as typeof Tool;
const template = readFileSync(resolve(import.meta.dirname, "../../manifest.xml"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "regdata-manifest-"));
afterAll(() => rmSync(folder, { recursive: true }));

const dev = parseBuildSettings(
  JSON.stringify({
    addInAddress: "https://regdata.example.com/a&b",
    id: "b0c6b8a2-5c1b-4b57-9d0e-6c9b1f2a7d31",
    environment: "DEV",
    displayName: 'Fees & "codes" <test>',
    supportAddress: "https://intranet.example.com/regdata",
  }),
);

/** The manifest as Microsoft's tool reads it. */
async function read(settings: BuildSettings) {
  const path = join(folder, "manifest.xml");
  writeFileSync(path, manifestFor(template, settings, "1.2.3"));
  return OfficeAddinManifest.readManifestFile(path);
}

const resources = (xml: string) =>
  new Map(
    [...xml.matchAll(/<bt:\w+ id="([^"]+)" DefaultValue="([^"]*)"/g)].map(([, id, value]) => [id, value]),
  );

describe("the manifest of a build", () => {
  it("is the template where there are no settings", () => {
    expect(manifestFor(template, plainBuild, "0.1.0")).toBe(template);
  });

  it("has the id, names and addresses of the settings, and the version of the package", async () => {
    expect(await read(dev)).toMatchObject({
      id: dev.id,
      version: "1.2.3.0",
      displayName: 'Fees & "codes" <test>',
      supportUrl: "https://intranet.example.com/regdata",
      appDomains: ["https://regdata.example.com"],
      iconUrl: "https://regdata.example.com/a&b/assets/icon-32.png",
      highResolutionIconUrl: "https://regdata.example.com/a&b/assets/icon-64.png",
      defaultSettings: { sourceLocation: "https://regdata.example.com/a&b/taskpane.html" },
    });
  });

  it("names nothing of a build without settings", () => {
    const xml = manifestFor(template, dev, "1.2.3");
    expect(xml).not.toContain("localhost");
    expect(xml).not.toContain(plainBuild.id);
    const addresses = [...resources(xml).values()].filter((value) => value?.startsWith("http"));
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) expect(address).toMatch(/^https:\/\/regdata\.example\.com\/a&amp;b\/\w/);
  });

  it("tells an environment apart in formulas, on the ribbon and in what it explains", () => {
    const texts = resources(manifestFor(template, dev, "1.2.3"));
    expect(texts.get("Functions.Namespace")).toBe("REGDATA_DEV");
    expect(texts.get("Group.Label")).toBe("RegData DEV");
    expect(texts.get("OpenPane.Label")).toBe("RegData DEV");
    expect(texts.get("GetStarted.Title")).toBe("RegData DEV is ready");
    expect(texts.get("GetStarted.Description")).toContain("=REGDATA_DEV.VALUE(");
    for (const [id, text] of texts) expect(text, id).not.toMatch(/RegData(?! DEV)|REGDATA(?!_DEV)/);
  });

  it("is not made from a template that lacks something", () => {
    expect(() => manifestFor(template.replace(plainBuild.id, "?"), dev, "1.2.3")).toThrow(plainBuild.id);
  });
});
