import * as promises from "node:fs/promises";
import {
  chmod,
  chown,
  lstat,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { connectIfGiven } from "../../../command/command-connection";
import { editBook } from "../../../command/workbook/edit-book";
import { type FileSteps, readBook, withLock, writeBook } from "../../../command/workbook/safe-write";
import { createService } from "../../../reference-service/service";
import { newWorkbookFile } from "../../../xlsx/workbook-file";
import { createPlayer, playFolder, type PlayOptions, type Ran } from "../played-io";
import { killedAt } from "./killed-at";

let folder: string;
let book: string;
let run: (words: readonly string[], options?: PlayOptions) => Promise<Ran>;
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

  it("is written all the same if its lock is lost, and the command ends as it should", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const ending = withLock(book, async () => {
      await rm(`${book}.lock`, { recursive: true });
      // The lock is renewed within this time.
      await vi.advanceTimersByTimeAsync(30_000);
      // The system answers in its own time.
      await stat(folder);
      await stat(folder);
      return "done";
    });
    expect(await ending).toBe("done");
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

  it("stays gone if somebody moves it meanwhile", async () => {
    await makeLive();
    const { version } = await readBook(book);
    await rm(book);
    await expect(writeBook(book, Buffer.from("new"), { version })).rejects.toThrow("moved or deleted it");
    expect(await readdir(folder)).toEqual(["answers"]);
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

  it("has a backup that replaces no other file, and has its owner and rights", async () => {
    const old = Buffer.from("old");
    await writeFile(book, old);
    await chmod(book, 0o640);
    if (process.getuid?.() === 0) await chown(book, 1234, 2345);
    const { uid, gid } = await stat(book);
    const backup = join(folder, "live.backup-2026-11-28T04-00-00.xlsx");
    await writeFile(backup, "somebody's work");
    const { version } = await readBook(book);
    const kept = await writeBook(book, Buffer.from("new"), { version, backup });
    expect(kept).toBe(join(folder, "live.backup-2026-11-28T04-00-00-2.xlsx"));
    expect(await readFile(backup, "utf8")).toBe("somebody's work");
    expect(await readFile(String(kept))).toEqual(old);
    const now = await stat(String(kept));
    expect([now.uid, now.gid, now.mode & 0o777]).toEqual([uid, gid, 0o640]);
  });

  it.runIf(process.platform !== "win32")(
    "is readable by nobody else while it is written, and gives another group no rights",
    async () => {
      await writeFile(book, "old");
      await chmod(book, 0o666);
      const { version } = await readBook(book);
      const modes: number[] = [];
      const steps = withSteps({
        async open(...args) {
          const file = await promises.open(...args);
          modes.push((await file.stat()).mode & 0o777);
          // A user who is not root can give a file neither to another user nor to a group of others.
          file.chown = () => Promise.reject(Object.assign(new Error("not permitted"), { code: "EPERM" }));
          return file;
        },
      });
      if (process.getuid?.() === 0) await chown(book, 1234, 2345);
      await chmod(book, 0o664);
      await writeBook(book, Buffer.from("new"), { version }, steps);
      expect(modes).toEqual([0o600]);
      const { mode } = await stat(book);
      expect(mode & 0o777).toBe(process.getuid?.() === 0 ? 0o644 : 0o664);
    },
  );

  it("is written beside itself under another name each time, where no link is followed", async () => {
    const victim = join(folder, "victim.conf");
    await writeFile(victim, "precious", { mode: 0o600 });
    const names = new Set<string>();
    // Somebody who knows the name makes a link before the command opens it.
    const steps = withSteps({
      async open(path, ...rest) {
        names.add(String(path));
        await symlink(victim, path);
        return promises.open(path, ...rest);
      },
    });
    for (const replaces of [false, true, true]) {
      if (replaces) await writeFile(book, "old");
      const { version } = replaces ? await readBook(book) : {};
      await expect(writeBook(book, Buffer.from("NEW"), { version }, steps)).rejects.toThrow();
    }
    expect(names.size).toBe(3);
    expect(await readFile(victim, "utf8")).toBe("precious");
    expect((await stat(victim)).mode & 0o777).toBe(0o600);
    expect([await readFile(book, "utf8"), (await lstat(book)).isSymbolicLink()]).toEqual(["old", false]);
  });

  it("that is missing, or a folder, fails in a sentence", async () => {
    expect((await run(["freeze", join(folder, "none.xlsx")])).told).toContain("there is no such file");
    expect((await run(["freeze", folder])).code).toBe(4);
  });
});

/** The file system's own steps, but for these. */
const withSteps = (others: Partial<FileSteps>): FileSteps => ({ ...promises, ...others });

describe("an output", () => {
  const matrix = ["matrix", "--where", "06001", "--question", "1056", "-o"];
  const theirs = "a colleague's work";
  const output = (name: string) => join(folder, name);

  /** Somebody saves a file of this name as soon as the command asks the service, which may take minutes. */
  function savedMeanwhile(file: string, options: Parameters<typeof createService>[0] = {}): PlayOptions {
    const service = createService(options);
    return {
      async intercept(request) {
        await writeFile(file, theirs);
        return service.fetch(request);
      },
    };
  }

  it.each([
    ["fees.xlsx", matrix],
    ["fees.csv", matrix],
    ["fees.json", matrix],
    ["live.xlsx", [...matrix.slice(0, -1), "--live", "-o"]],
    ["found.xlsx", ["find", "--where", "NV", "--if", "1056 at most 60", "-o"]],
    ["solar.csv", ["collection", "Residential solar", "--where", "06001", "-o"]],
    ["permit.xlsx", ["template", "permit-cost", "--where", "06001", "-o"]],
  ])(
    "%s never takes the place of what somebody saved meanwhile, not even with --force",
    async (name, words) => {
      const file = output(name);
      const isNew = await run([...words, file], savedMeanwhile(file));
      expect([isNew.code, isNew.told]).toEqual([
        4,
        expect.stringContaining("saved by somebody else meanwhile"),
      ]);
      expect(await readFile(file, "utf8")).toBe(theirs);
      await writeFile(file, "what --force may replace");
      const answersFolder = output("no answers");
      const forced = await run([...words, file, "--force"], { ...savedMeanwhile(file), answersFolder });
      expect([forced.code, await readFile(file, "utf8")]).toEqual([4, theirs]);
      expect((await readdir(folder)).filter((each) => each.endsWith(".regdata"))).toEqual([]);
      expect((await run([...words, file, "--force"])).code).toBe(10);
    },
  );

  it("of refresh never takes the place of what somebody saved meanwhile", async () => {
    const file = output("refreshed.xlsx");
    const fees = ["matrix", "--where", "NV", "--question", "1056", "-o", book];
    await run(fees, { month: "before" });
    const { code, told } = await run(["refresh", book, "-o", file], savedMeanwhile(file, { month: "after" }));
    expect([code, told]).toEqual([4, expect.stringContaining("saved by somebody else meanwhile")]);
    expect(await readFile(file, "utf8")).toBe(theirs);
  });

  it.each([false, true])("of an edit never does either, with --force: %s", async (force) => {
    await makeLive();
    const file = output("edited.xlsx");
    if (force) await writeFile(file, "what --force may replace");
    const { app } = await connectIfGiven({}, { env: {} } as Parameters<typeof connectIfGiven>[1]);
    const choices = { output: file, force };
    const editing = editBook(book, app, choices, { signal: new AbortController().signal }, async (opened) => {
      await writeFile(file, theirs);
      return { result: null, changed: opened.contents() };
    });
    await expect(editing).rejects.toThrow("saved by somebody else meanwhile");
    expect(await readFile(file, "utf8")).toBe(theirs);
  });

  it("takes the place of nothing in the last moment, on a disk without second names for files, too", async () => {
    const file = output("new.xlsx");
    const noLinks = () => Promise.reject(Object.assign(new Error("not supported"), { code: "EPERM" }));
    for (const link of [promises.link, noLinks]) {
      const lastMoment = withSteps({
        async link(...args) {
          await writeFile(file, theirs);
          return link(...args);
        },
      });
      await expect(writeBook(file, Buffer.from("new"), {}, lastMoment)).rejects.toThrow("somebody else");
      expect(await readFile(file, "utf8")).toBe(theirs);
      await rm(file);
    }
    await writeBook(file, Buffer.from("new"), {}, withSteps({ link: noLinks }));
    expect(await readFile(file, "utf8")).toBe("new");
  });

  it("is not there or whole, wherever the command is killed", async () => {
    const [file, bytes] = [output("new.xlsx"), Buffer.alloc(100_000, "new")];
    for (let step = 0; ; step += 1) {
      await rm(file, { force: true });
      const isDone = await writeBook(file, bytes, {}, killedAt(step).steps).then(
        () => true,
        () => false,
      );
      const there = await readFile(file).catch(() => null);
      expect(there === null || there.equals(bytes)).toBe(true);
      if (isDone) break;
    }
  });

  it("that is a link to a file stays one, and one to nothing is not followed", async () => {
    const [file, link] = [output("fees.csv"), output("link.csv")];
    await writeFile(file, "old");
    await symlink(file, link);
    expect((await run([...matrix, link, "--force"])).code).toBe(10);
    expect([await readlink(link), (await readFile(file, "utf8")).includes("06001")]).toEqual([file, true]);
    await rm(file);
    for (const words of [[], ["--force"]]) expect((await run([...matrix, link, ...words])).code).toBe(4);
    expect(await readdir(folder)).not.toContain("fees.csv");
  });
});
