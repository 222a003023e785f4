import { execFileSync } from "node:child_process";
import { copyFile, mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { filesIn, playFolder } from "./played-io";

const root = resolve(import.meta.dirname, "..", "..");

/** A clone with a command that prints a word. */
async function clone() {
  const folder = await playFolder();
  await mkdir(join(folder, "command"));
  await copyFile(join(root, "command/start.mjs"), join(folder, "command/start.mjs"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  /** As saved so many hours ago. */
  const write = async (name: string, text: string, hoursAgo: number) => {
    const path = join(folder, name);
    await writeFile(path, text);
    const then = new Date(Date.now() - hoursAgo * 3_600_000);
    await utimes(path, then, then);
  };
  await write("package.json", '{ "type": "module" }', 3);
  await write("command/regdata.ts", 'import { word } from "./word";\nconsole.log(word as string);\n', 3);
  const start = () =>
    execFileSync(process.execPath, [join(folder, "command/start.mjs")], { encoding: "utf8" });
  return {
    folder,
    start,
    saveWord: (word: string, hoursAgo: number) =>
      write("command/word.ts", `export const word: string = "${word}";\n`, hoursAgo),
  };
}

it("npm run regdata runs the command as its files are, and builds it only where they have changed", async () => {
  const { folder, start, saveWord } = await clone();
  await saveWord("one", 3);
  expect(start()).toBe("one\n");
  const built = await filesIn(join(folder, "build"));
  expect([...built.keys()].sort()).toEqual(["regdata.json", "regdata.mjs"]);
  // It is that script which runs from then on.
  await writeFile(join(folder, "build/regdata.mjs"), 'console.log("built");\n');
  expect(start()).toBe("built\n");
  await saveWord("two", 2);
  expect(start()).toBe("two\n");
  await rm(join(folder, "build/regdata.mjs"));
  expect(start()).toBe("two\n");
});

it("npm run regdata loads what only some commands need from scripts of their own, and builds them anew where one is gone", async () => {
  const { folder, start, saveWord } = await clone();
  await saveWord("one", 3);
  await writeFile(join(folder, "command/regdata.ts"), 'console.log((await import("./word")).word);\n');
  await utimes(join(folder, "command/regdata.ts"), new Date(0), new Date(0));
  const built = join(folder, "build");
  const others = async () => [...(await filesIn(built)).keys()].filter((name) => name.startsWith("regdata-"));
  expect(start()).toBe("one\n");
  const [first = ""] = await others();
  await rm(join(built, first));
  expect(start()).toBe("one\n");
  expect(await others()).toEqual([first]);
  // A command that runs may still load a script of the build before, but none of long ago.
  await saveWord("two", 2);
  expect(start()).toBe("two\n");
  expect(await others()).toHaveLength(2);
  await utimes(join(built, first), new Date(0), new Date(0));
  await saveWord("three", 1);
  expect(start()).toBe("three\n");
  expect(await others()).not.toContain(first);
});

it("npm run regdata runs the command where nothing can be built", async () => {
  const { folder, start, saveWord } = await clone();
  await saveWord("one", 3);
  await writeFile(join(folder, "build"), "a file where the folder should be");
  expect(start()).toBe("one\n");
});
