import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import webpack from "webpack";

/**
 * A plugin by which type errors in a TypeScript project fail webpack's build, also if webpack has all modules in its cache and would not
 * look at their types. TypeScript runs beside webpack, in a process of its own, and keeps what it has found out in `kept`.
 */
export function checkTypes(project: string, kept: string): webpack.WebpackPluginInstance {
  return {
    apply(compiler: webpack.Compiler) {
      compiler.hooks.thisCompilation.tap("checkTypes", (compilation) => {
        const found = typeErrors(project, kept);
        // The last stage: minimizing, which takes longest, does not wait for TypeScript.
        const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
        compilation.hooks.processAssets.tapPromise({ name: "checkTypes", stage }, async () => {
          for (const each of await found) compilation.errors.push(new webpack.WebpackError(each));
        });
      });
    },
  };
}

async function typeErrors(project: string, kept: string): Promise<string[]> {
  const program = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const options = ["--noEmit", "--pretty", "false", "--incremental", "--tsBuildInfoFile", kept];
  const child = spawn(process.execPath, [program, "--project", project, ...options], {
    cwd: dirname(project),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => void said.push(part));
  const [code] = (await once(child, "close")) as [code: number | null];
  if (code === 0) return [];
  // The lines that go on with an error begin with a blank.
  return (Buffer.concat(said).toString().trim() || `TypeScript ended with ${code}.`).split(/\n(?! )/);
}
