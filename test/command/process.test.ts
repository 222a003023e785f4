import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { createPlayer, playFolder } from "./played-io";

const root = resolve(import.meta.dirname, "..", "..");

/** A folder with a workbook, fees.xlsx. */
async function folderWithBook(): Promise<string> {
  const folder = await playFolder();
  const run = createPlayer(folder);
  await run(["matrix", "--where", "06001", "--question", "1056", "-o", join(folder, "fees.xlsx")]);
  return folder;
}

it.skipIf(process.platform === "win32")(
  "a file is looked for in the folder in which npm was called, whatever folder the project has",
  async () => {
    const cwd = await folderWithBook();
    const words = ["run", "--silent", "--prefix", root, "regdata", "--", "check", "fees.xlsx"];
    const child = spawn("npm", words, { cwd });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += String(text)));
    const [code] = (await once(child, "close")) as [number];
    expect([code, printed]).toEqual([0, expect.stringContaining("fees.xlsx\n  Nothing found. Looked for: ")]);
  },
);

it("a reader that has heard enough, such as head, ends neither the work nor its exit code", async () => {
  const folder = await folderWithBook();
  const words = ["check", join(folder, "fees.xlsx"), join(folder, "missing.xlsx")];
  const child = spawn(process.execPath, ["command/start.mjs", ...words], { cwd: root });
  child.stdout.destroy();
  let told = "";
  child.stderr.on("data", (text) => (told += String(text)));
  const [code] = (await once(child, "close")) as [number];
  expect([code, told]).toEqual([
    4,
    `${join(folder, "missing.xlsx")} can't be read: there is no such file.\n`,
  ]);
});
