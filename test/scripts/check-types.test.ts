import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import webpack from "webpack";
import { checkTypes } from "../../scripts/check-types";

const folder = mkdtempSync(join(tmpdir(), "check-types-"));
afterEach(() => rmSync(folder, { recursive: true }));

/** The errors of a build by webpack with its cache on disk, as the add-in's build has it. */
async function errorsOfBuild(): Promise<string[]> {
  const compiler = webpack({
    mode: "none",
    context: folder,
    entry: "./entry.js",
    output: { path: join(folder, "dist") },
    cache: { type: "filesystem", cacheDirectory: join(folder, "cache") },
    plugins: [checkTypes(join(folder, "tsconfig.json"), join(folder, "cache/types.tsbuildinfo"))],
  });
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) =>
    compiler.run((failure, result) => (failure ? reject(failure) : resolve(result))),
  );
  await new Promise<void>((resolve) => compiler.close(() => resolve()));
  return (stats?.compilation.errors ?? []).map(({ message }) => message);
}

it("a type error fails each build, also one that has all in its cache, and no build once it is mended", async () => {
  mkdirSync(join(folder, "cache"));
  writeFileSync(join(folder, "entry.js"), "export const entry = 1;");
  writeFileSync(
    join(folder, "tsconfig.json"),
    '{"compilerOptions":{"strict":true,"types":[]},"files":["count.ts"]}',
  );
  writeFileSync(
    join(folder, "count.ts"),
    'export const count: number = "one";\nexport const other: string = 2;',
  );
  const errors = [
    expect.stringMatching(/^count\.ts\(1,14\): error TS2322/),
    expect.stringContaining("(2,14)"),
  ];
  expect(await errorsOfBuild()).toEqual(errors);
  expect(await errorsOfBuild()).toEqual(errors);
  writeFileSync(join(folder, "count.ts"), "export const count: number = 1;");
  expect(await errorsOfBuild()).toEqual([]);
});
