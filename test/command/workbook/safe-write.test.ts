import * as promises from "node:fs/promises";
import { chmod, chown, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { connectIfGiven } from "../../../command/command-connection";
import { editBook } from "../../../command/workbook/edit-book";
import { readBook, withLock, writeBook } from "../../../command/workbook/safe-write";
import { newWorkbookFile } from "../../../xlsx/workbook-file";
import { createPlayer, playFolder, type Ran } from "../played-io";
import { killedAt } from "./killed-at";

let folder: string;
let book: string;
let run: (words: readonly string[]) => Promise<Ran>;
beforeEach(async () => {
  folder = await playFolder();
  book = join(folder, "live.xlsx");
  run = createPlayer(folder);
});

async function makeLive(): Promise<Uint8Array> {
  await run(["matrix", "--live", "--where", "06001", "--question", "1056", "-o", book]);
  return readFile(book);
}

describe("a workbook's file", () => {
  it("is left alone while Excel has it open", async () => {
    const before = await makeLive();
    await writeFile(join(folder, "~$live.xlsx"), "somebody");
    const { code, told } = await run(["freeze", book]);
    expect([code, told]).toEqual([4, expect.stringContaining("is open in Excel. Close it there")]);
    expect(await readFile(book)).toEqual(before);
    expect((await run(["freeze", book, "-o", join(folder, "other.xlsx")])).code).toBe(10);
  });

  it("is left alone if it is read-only", async () => {
    const before = await makeLive();
    await chmod(book, 0o444);
    const { code, told } = await run(["freeze", book]);
    expect([code, told]).toEqual([4, expect.stringContaining("is read-only")]);
    expect(await readFile(book)).toEqual(before);
  });

  it.runIf(process.getuid?.() === 0)("keeps its owner when root writes it, and its rights", async () => {
    await makeLive();
    await chown(book, 1234, 2345);
    await chmod(book, 0o640);
    expect((await run(["freeze", book])).code).toBe(10);
    const { uid, gid, mode } = await stat(book);
    expect([uid, gid, mode & 0o777]).toEqual([1234, 2345, 0o640]);
  });

  it("is left alone while another command works on it", async () => {
    const before = await makeLive();
    const { code, told } = await withLock(book, () => run(["freeze", book]));
    expect([code, told]).toEqual([4, expect.stringContaining("Another regdata command is working on")]);
    expect(await readFile(book)).toEqual(before);
    expect((await run(["freeze", book])).code).toBe(10);
  });

  it("is left alone if somebody saves it meanwhile", async () => {
    await makeLive();
    const { app } = await connectIfGiven({}, { env: {} } as Parameters<typeof connectIfGiven>[1]);
    const others = newWorkbookFile(["Theirs"]).save();
    const editing = editBook(book, app, {}, { signal: new AbortController().signal }, async (opened) => {
      await writeFile(book, others);
      return { result: null, changed: opened.contents() };
    });
    await expect(editing).rejects.toThrow("was saved by somebody else meanwhile");
    expect(await readFile(book)).toEqual(Buffer.from(others));
  });

  it("is either the old file or the new file, whole, wherever the command is killed", async () => {
    const [before, after] = [Buffer.alloc(100_000, "old"), Buffer.alloc(120_000, "new")];
    const backup = join(folder, "backup.xlsx");
    const ends = new Set<string>();
    for (let step = 0; ; step += 1) {
      await writeFile(book, before);
      await rm(backup, { force: true });
      const { version } = await readBook(book);
      const { steps } = killedAt(step);
      const isDone = await writeBook(book, after, { version, backup }, steps).then(
        () => true,
        () => false,
      );
      const now = await readFile(book);
      expect(now.equals(before) || now.equals(after)).toBe(true);
      ends.add(now.equals(before) ? "old" : "new");
      // The temporary files that a killed write leaves have names that nobody takes for a workbook.
      const left = (await readdir(folder)).filter(
        (name) => !["live.xlsx", "backup.xlsx", "answers"].includes(name),
      );
      expect(left.filter((name) => !/^\..*\.regdata$/.test(name))).toEqual([]);
      const copy = await readFile(backup).catch(() => before);
      expect(copy.equals(before)).toBe(true);
      if (isDone) break;
    }
    expect([...ends]).toEqual(["old", "new"]);
    expect((await readFile(backup)).equals(before)).toBe(true);
  });

  it("keeps its permissions", async () => {
    await makeLive();
    await chmod(book, 0o640);
    await run(["freeze", book]);
    expect((await promises.stat(book)).mode & 0o777).toBe(0o640);
  });

  it("that is missing, or a folder, fails in a sentence", async () => {
    expect((await run(["freeze", join(folder, "none.xlsx")])).told).toContain("there is no such file");
    expect((await run(["freeze", folder])).code).toBe(4);
  });
});
