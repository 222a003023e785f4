import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const root = resolve(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(resolve(root, name), "utf8");

const wanted = JSON.parse(read("package.json")) as LockEntry & { overrides?: unknown };
const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, LockEntry> };
const entries = Object.entries(packages).filter(([place]) => place !== "");
const exact = /^\d+\.\d+\.\d+$/;

describe("package.json", () => {
  it("pins the packages that are shipped or that build the add-in to exact versions", () => {
    const versions = Object.entries({ ...wanted.dependencies, ...wanted.devDependencies });
    expect(versions.length).toBeGreaterThan(50);
    expect(versions.filter(([, version]) => !exact.test(version))).toEqual([]);
    for (const name of [
      "typescript",
      "webpack",
      "ts-loader",
      "terser-webpack-plugin",
      "html-webpack-plugin",
    ]) {
      expect(wanted.devDependencies, name).toHaveProperty([name]);
    }
  });
});

describe("package-lock.json", () => {
  it("has a version and a SHA-512 of each package, including packages for other systems", () => {
    expect(entries.length).toBeGreaterThan(500);
    for (const system of ["darwin-arm64", "win32-x64", "linux-x64"]) {
      expect(entries.some(([place]) => place.includes(system))).toBe(true);
    }
    const withoutChecksum = entries.filter(([, { version = "", integrity = "" }]) => {
      const [, sum = ""] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity) ?? [];
      return !/^\d/.test(version) || Buffer.from(sum, "base64").length !== 64;
    });
    expect(withoutChecksum.map(([place]) => place)).toEqual([]);
  });

  it("takes each package by name and version from whatever registry npm is set to, and none from an address", () => {
    const elsewhere = entries.filter(([, { resolved, link }]) => resolved !== undefined || link);
    expect(elsewhere.map(([place]) => place)).toEqual([]);
    const ranges = Object.values(packages).flatMap((each) =>
      Object.values({ ...each.dependencies, ...each.devDependencies, ...each.optionalDependencies }),
    );
    expect(
      ranges.filter((range) => /[:/]/.test(range.replace(/^npm:/, "").replace(/^@[\w-]+\//, ""))),
    ).toEqual([]);
  });

  it("holds the packages of package.json in just these versions", () => {
    const { dependencies, devDependencies } = packages[""] ?? {};
    expect({ dependencies, devDependencies }).toEqual({
      dependencies: wanted.dependencies,
      devDependencies: wanted.devDependencies,
    });
    for (const [name, version] of Object.entries({ ...wanted.dependencies, ...wanted.devDependencies })) {
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });
});

describe(".npmrc", () => {
  it("keeps versions exact and registries out of the lock, and lets no package run a script when it is installed", () => {
    const settings = read(".npmrc")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(settings.sort()).toEqual(
      ["ignore-scripts=true", "omit-lockfile-registry-resolved=true", "save-exact=true"].sort(),
    );
  });
});
