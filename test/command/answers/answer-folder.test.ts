import { mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAnswerFolder } from "../../../command/answers/answer-folder";
import type { CachedAnswer } from "../../../src/engine/cache/cached-answer";
import { openCache } from "../../../src/engine/cache/cache";
import { answer } from "../../engine/cache/database";

let folder: string;
let failures: number;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "answers-")), "kept");
  failures = 0;
});
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

/** The answer cache of one command. A second call opens it as the next command would. */
const command = (space = "space") =>
  openCache(
    createAnswerFolder(folder, () => (failures += 1)),
    space,
  );

async function keep(ahjIds: readonly number[], text: string, space?: string): Promise<void> {
  const { answers, flushed } = command(space);
  for (const ahjId of ahjIds) answers.put(ahjId, new Map<number, CachedAnswer>([[1, answer(text, 1_000)]]));
  await flushed();
}

async function kept(ahjId: number, space?: string): Promise<string | undefined> {
  const { answers } = command(space);
  await answers.load([ahjId]);
  return answers.value(ahjId, 1) ?? undefined;
}

it("the command's folder gives the next command the last one's answers, in the same space only", async () => {
  await keep([7, 8], "$100");
  expect([await kept(7), await kept(8), await kept(9), await kept(7, "other")]).toEqual([
    "$100",
    "$100",
    undefined,
    undefined,
  ]);
  expect(failures).toBe(0);
});

it("the command's folder replaces an older answer with a newer one", async () => {
  await keep([7], "old");
  await keep([7], "new");
  expect(await kept(7)).toBe("new");
});

it("the command's folder finds a document under its own name, however long that is", async () => {
  const name = "catalogue".repeat(100);
  const { documents, flushed } = command();
  documents.write(name, { fetchedAtMs: Date.now(), content: ["types"] });
  await flushed();
  const found = await command().documents.read([name, "other"]);
  expect([...found].map(([key, { content }]) => [key, content])).toEqual([[name, ["types"]]]);
});

it("commands that write to the folder at the same time lose nothing of each other", async () => {
  const ids = Array.from({ length: 8 }, (_, index) => index + 1);
  await Promise.all(ids.map((id) => keep([id], `answer ${id}`)));
  expect(await Promise.all(ids.map((id) => kept(id)))).toEqual(ids.map((id) => `answer ${id}`));
  expect(failures).toBe(0);
});

it("answers that are forgotten are gone from the command's folder", async () => {
  await keep([7], "$100");
  const cache = command();
  expect(await cache.end()).toBe(true);
  expect(await kept(7)).toBeUndefined();
});

it("a damaged file in the command's folder counts as none, and costs nothing else", async () => {
  await keep([7], "$100");
  const own = join(folder, "space");
  for (const name of await readdir(own)) if (name.endsWith(".shard")) await truncate(join(own, name), 5);
  await keep([8], "$200");
  expect([await kept(7), await kept(8)]).toEqual([undefined, "$200"]);
});

it("the command goes on without a folder, and says once that nothing is kept", async () => {
  await mkdir(join(folder, ".."), { recursive: true });
  await writeFile(folder, "a file stands where the folder would");
  const { answers, flushed } = command();
  answers.put(7, new Map([[1, answer("$100", 1_000)]]));
  await flushed();
  expect(failures).toBe(1);
  expect(answers.get(7, 1)).toBeDefined();
});

it.skipIf(process.platform === "win32")("only this user may read it", async () => {
  await keep([7], "$100");
  expect((await stat(join(folder, "space"))).mode & 0o077).toBe(0);
  const [name = ""] = await readdir(join(folder, "space"));
  expect((await stat(join(folder, "space", name))).mode & 0o077).toBe(0);
});
