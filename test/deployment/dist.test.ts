import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { plainBuild } from "../../deployment/build-settings";
import { contentSecurityPolicy, helpSecurityPolicy } from "../../deployment/content-security-policy";

const root = resolve(import.meta.dirname, "../..");
const dist = join(root, "dist");
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((each) => each.isFile())
  .map((each) =>
    join(each.parentPath, each.name)
      .slice(dist.length + 1)
      .replaceAll("\\", "/"),
  );
const read = (name: string) => readFileSync(join(dist, name), "utf8");
const texts = files.filter((name) => !/\.(png|webp)$/.test(name));

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, { version: string; dev?: boolean }>;
};
const listed = [
  ...read("third-party-licenses.txt").matchAll(/^((?:@[\w-]+\/)?[\w-]+) (\d\S+) \((.+)\)$/gm),
].map(([, name = "", version = "", license]) => ({ name, version, license }));

describe("the list of licenses", () => {
  it("names every package that is shipped", () => {
    const names = listed.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    const ofFluent = /^@(fluentui|griffel|floating-ui)\//;
    expect(names.filter((name) => !ofFluent.test(name)).sort()).toEqual([
      "@borgar/fx",
      "@emotion/hash",
      "@leeoniya/ufuzzy",
      "idb",
      "keyborg",
      "minisearch",
      "papaparse",
      "react",
      "react-dom",
      "rtl-css-js",
      "scheduler",
      "stylis",
      "tabster",
      "tinyqueue",
      "us-atlas",
      "use-sync-external-store",
      "webpack",
      "zod",
      "zustand",
    ]);
    expect(names).toEqual(expect.arrayContaining(["@fluentui/react-provider", "@griffel/core"]));
  });

  it("has each package's pinned version, and no package that only the build or the tests need", () => {
    for (const { name, version } of listed) {
      const pinned = lock.packages[`node_modules/${name}`];
      expect(version, name).toBe(pinned?.version);
      // webpack's own few lines are in each script.
      if (name !== "webpack") expect(pinned?.dev, name).toBeUndefined();
    }
  });

  it("has a text for each, under a license that asks for no more", () => {
    for (const { name, license } of listed) expect(license, name).toMatch(/^(MIT|ISC)$/);
    const parts = read("third-party-licenses.txt").split(/^-{80}$/m);
    for (const part of parts) expect(part).toMatch(/copyright|permission/i);
  });
});

describe("the bill of materials", () => {
  it("names with its checksum each package that is shipped, and office.js, and nothing else", () => {
    const folder = mkdtempSync(join(tmpdir(), "bill-"));
    const path = join(folder, "sbom.cdx.json");
    execFileSync("node", ["--import", "tsx", "scripts/sbom.ts", path], { cwd: root });
    const bill = JSON.parse(readFileSync(path, "utf8")) as {
      serialNumber?: string;
      metadata: { timestamp?: string };
      components: { name: string; version?: string; hashes?: { alg: string }[] }[];
    };
    rmSync(folder, { recursive: true });
    const titleOf = ({ name, version = "" }: { name: string; version?: string }) => `${name} ${version}`;
    const packages = bill.components.filter(({ name }) => name !== "office.js");
    expect(packages.map(titleOf).sort()).toEqual(listed.map(titleOf).sort());
    for (const { name, hashes } of packages) expect(hashes?.[0]?.alg, name).toBe("SHA-512");
    expect(bill.components).toHaveLength(packages.length + 1);
    expect([bill.serialNumber, bill.metadata.timestamp]).toEqual([undefined, undefined]);
  }, 60_000);
});

describe("the built files", () => {
  it("name scripts by what is in them, so that browsers may keep them for ever", () => {
    const scripts = files.filter((name) => name.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(3);
    for (const name of scripts) expect(name).toMatch(/^\w+\.[0-9a-f]{8}\.js$/);
  });

  it("hold nothing that would differ on another machine or another day", () => {
    const year = new Date().getFullYear();
    const strange = new RegExp(
      `${year}-\\d\\d-\\d\\dT|GMT[+-]|${Date.now().toString().slice(0, 5)}\\d{8}\\b`,
    );
    for (const name of texts) {
      expect(read(name), name).not.toMatch(strange);
      for (const place of [`${root}/`, "node_modules/", "webpack://"]) {
        expect(read(name).includes(place), `${place} in ${name}`).toBe(false);
      }
    }
  });

  it("carry their policy before any script", () => {
    const [head] = read("taskpane.html").split("<script");
    const { service } = plainBuild;
    expect(service).toBeNull();
    expect(head).toContain(
      `<head>\n    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(null)}"`,
    );
    for (const name of files.filter((each) => /^help\/.*\.html$/.test(each))) {
      expect(read(name), name).toContain(`content="${helpSecurityPolicy}"`);
      expect(read(name), name).not.toContain("<script");
    }
  });
});
