/**
 * `npm run build` builds the add-in and the workbench's page for this machine. `npm run build -- FILE` builds the add-in with the settings
 * in that file (docs/deploy.md), and prints what to do with it.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type BuildSettings, readBuildSettings } from "../deployment/build-settings";
import { uploadSteps } from "../deployment/upload";

const [file, ...others] = process.argv.slice(2);
if (others.length > 0 || file?.startsWith("-")) quit("Use: npm run build, or npm run build -- SETTINGS.json");
if (file === undefined) {
  run("webpack");
  run("vite", ["build"]);
} else {
  const settings = readSettings(file);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  run("webpack", ["--env", `settings=${file}`, "--stats", "errors-warnings"]);
  console.log(`\n${uploadSteps(settings, version)}`);
}

function readSettings(path: string): BuildSettings {
  try {
    return readBuildSettings(path);
  } catch (failure) {
    return quit(`${path}:\n${(failure as Error).message}`);
  }
}

function run(program: string, options: string[] = []): void {
  const shell = process.platform === "win32";
  const { status } = spawnSync("npx", [program, ...options], { stdio: "inherit", shell });
  if (status !== 0) process.exit(status ?? 1);
}

function quit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
