import { existsSync } from "node:fs";
import { resolve } from "node:path";
import webpack from "webpack";
import type { createEngine } from "./play/engine";

const output = resolve("build/bench");

export const builtFiles = {
  engine: resolve(output, "engine.mjs"),
  restartPage: resolve(output, "restart-page.js"),
  storePage: resolve(output, "store-page.js"),
  excelPage: resolve(output, "excel-page.js"),
};

/**
 * Builds the engine, and the pages of benches, as the add-in is built, so that the benches measure the shipped code. Run straight from
 * its sources the engine is slower, because tsx names every function each time it is made.
 */
export async function buildEngine(): Promise<void> {
  const shared: webpack.Configuration = {
    mode: "production",
    target: "web",
    resolve: { extensions: [".ts", ".js"] },
    module: {
      rules: [
        {
          test: /\.ts$/,
          exclude: /node_modules/,
          use: { loader: "ts-loader", options: { transpileOnly: true } },
        },
      ],
    },
    performance: { hints: false },
    // Scripts that load on demand are in one file with the rest, so that no bench waits for them.
    plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
  };
  const compiler = webpack([
    {
      ...shared,
      name: "bench engine",
      entry: "./test/bench/play/engine.ts",
      output: { path: output, filename: "engine.mjs", library: { type: "module" } },
      experiments: { outputModule: true },
      cache: { type: "filesystem", name: "bench-engine" },
    },
    ...(["restart", "store", "excel"] as const).map((folder) => ({
      ...shared,
      name: `bench page ${folder}`,
      entry: `./test/bench/${folder}/page.ts`,
      output: { path: output, filename: `${folder}-page.js` },
      cache: { type: "filesystem" as const, name: `bench-page-${folder}` },
    })),
  ]);
  if (!compiler) throw new Error("webpack gave no compiler");
  const stats = await new Promise<webpack.MultiStats | undefined>((resolve, reject) => {
    compiler.run((failure, finished) => {
      compiler.close(() => (failure ? reject(failure) : resolve(finished)));
    });
  });
  if (!stats || stats.hasErrors()) throw new Error(stats?.toString({ all: false, errors: true }));
}

/** The engine as `buildEngine` built it. */
export async function loadEngine(): Promise<typeof createEngine> {
  const built = (await import(builtFiles.engine)) as { createEngine: typeof createEngine };
  return built.createEngine;
}

/** Fails with a sentence if one of the folders that `npm run build` writes is missing. */
export function mustBeBuilt(...folders: string[]): void {
  for (const folder of folders)
    if (!existsSync(folder)) throw new Error(`There is no ${folder}. Run "npm run build" first.`);
}
