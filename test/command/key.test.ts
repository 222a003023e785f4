import { chmod, copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { holdsForm, keyForms } from "../../src/key-forms";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { playConfig } from "../play-config";
import type { Interception } from "../recorded-service";
import { unzipSync } from "fflate";
import { createPlayer, filesIn, playFolder, type PlayOptions, type Ran } from "./played-io";

/** A key with characters that JSON, addresses and XML write in other ways. */
const planted = "k&y<%7>'secret\"+/=0123456789";
const hex = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "$&:");
const env = { REGDATA_SERVICE: "https://service.test", REGDATA_KEY: planted };
playConfig({ retryDelayMs: 1 });
let folder: string;
let run: ReturnType<typeof createPlayer>;
let all: Ran[];
beforeEach(async () => {
  folder = await playFolder();
  all = [];
  const play = createPlayer(folder, { env, keys: { [planted]: "demo-national" } });
  run = async (words, options) => {
    const ran = await play(words, options);
    all.push(ran);
    return ran;
  };
});

/** The places that hold the key in any form: output, addresses of requests, names and contents of files. */
async function leaks(): Promise<string[]> {
  const texts = all.map(({ out, told, requests }, index): [string, string] => [
    `output ${index}`,
    [out, told, ...requests].join("\n"),
  ]);
  for (const [name, bytes] of await filesIn(folder)) {
    texts.push([name, Buffer.from(bytes).toString("latin1")]);
    if (!name.endsWith(".xlsx")) continue;
    for (const [part, content] of Object.entries(unzipSync(bytes)))
      texts.push([`${name}/${part}`, Buffer.from(content).toString("utf8")]);
  }
  const forms = [...keyForms(planted)];
  return texts.flatMap(([name, text]) =>
    [planted, ...forms].some((form) => text.includes(form)) ? [name] : [],
  );
}

it("the key is in no output and no file, whatever is done and whatever goes wrong", async () => {
  const file = (name: string) => join(folder, name);
  const order = ["--where", "06001", "--question", "1056"];
  expect((await run(["matrix", ...order, "-o", file("a.xlsx")])).code).toBe(10);
  await run(["matrix", ...order, "--live", "-o", file("live.xlsx")]);
  await run(["matrix", ...order, "-o", file("a.csv")]);
  await run(["matrix", ...order, "-o", file("a.json"), "--json"]);
  await run(["find", "--where", "NV", "--if", "1056 at most 60", "-o", file("found.xlsx")]);
  await run(["collection", "Residential solar", "--where", "06001", "-o", file("solar.xlsx")]);
  expect((await run(["refresh", file("a.xlsx"), file("found.xlsx")])).code).toBe(0);
  expect((await run(["freeze", file("live.xlsx")])).code).toBe(10);
  await run(["unfreeze", file("live.xlsx")]);
  const refusing: Interception = (request) =>
    Response.json({ error: `Bad key ${request.headers.get("X-API-Key")}` }, { status: 401 });
  const echoing: Interception = (request) =>
    new Response(`<p>${request.headers.get("X-API-Key")}</p>`, { status: 500 });
  const broken: PlayOptions = { fetch: () => Promise.reject(new Error(`fetch failed with ${planted}`)) };
  for (const options of [{ intercept: refusing }, { intercept: echoing }, broken]) {
    const answersFolder = file("no answers");
    expect((await run(["matrix", ...order, "-o", file("b.xlsx")], { ...options, answersFolder })).code).toBe(
      3,
    );
    expect((await run(["refresh", file("a.xlsx")], { ...options, answersFolder })).code).toBe(3);
  }
  expect((await run(["matrix", ...order, "-o", "/no/such/folder/a.xlsx"])).code).toBe(4);
  expect(await leaks()).toEqual([]);
});

/** Writes the key into cells, a formula, a sheet's name and a frozen formula of a workbook, in several forms. */
async function plantIn(path: string): Promise<void> {
  const file = openWorkbookFile(await readFile(path));
  const inFormula = planted.replaceAll('"', '""');
  const written = [
    planted,
    encodeURIComponent(planted),
    Buffer.from(planted).toString("base64"),
    `x ${hex(planted)}`,
  ];
  // A line that is cut may end anywhere in the key.
  const longTexts = Array.from({ length: 90 }, (_, words) => `${"long ".repeat(words)}${planted}`);
  file.sheets[0]!.setCells([
    ...[...written, JSON.stringify({ key: planted }), ...longTexts].map((value, row) => ({
      ...{ row: row + 50, column: 0, value },
    })),
    {
      ...{ row: 170, column: 0, value: "NEC 2020" },
      formula: { text: `_xldudf_REGDATA_VALUE("06001",1003,"value","${inFormula}")` },
    },
  ]);
  await writeFile(path, file.save());
}

it("the key is in no output, though files, their names and the service hold it", async () => {
  const [one, other] = [join(folder, "one.xlsx"), join(folder, "other.xlsx")];
  const order = ["--where", "06001", "--question", "1056"];
  await run(["matrix", ...order, "-o", one]);
  await copyFile(one, other);
  await plantIn(other);
  for (const json of [[], ["--json"]]) {
    expect((await run(["check", other, ...json])).code).toBe(10);
    expect((await run(["diff", one, other, ...json])).code).toBe(10);
    expect((await run(["freeze", other, "--no-backup", ...json])).code).toBe(10);
    expect((await run(["diff", one, other, ...json])).code).toBe(10);
    expect((await run(["check", other, ...json])).code).toBe(10);
    expect((await run(["unfreeze", other, "--no-backup", ...json])).code).toBe(10);
    await run(["repair", other, "--no-backup", ...json]);
    await run(["refresh", other, ...json]);
    await run(["refresh", join(folder, `${encodeURIComponent(planted)}.xlsx`), ...json]);
    await run(["matrix", "--where", planted, "--question", planted, "-o", "-"]);
    await run([planted]);
    await run(["find", "--where", "NV", "--if", planted, "--key", planted]);
  }
  const printing: Interception = (request) =>
    new URL(request.url).pathname.endsWith("/export")
      ? new Response(`note\n${planted}\n`, { headers: { "Content-Type": "text/csv" } })
      : undefined;
  const { out } = await run(["matrix", ...order, "-o", "-"], { intercept: printing });
  expect(out).toContain("note\n••••\n");
  const texts = all.map(({ out: printed, told }) => printed + told);
  expect(texts.filter((text) => holdsForm(text, keyForms(planted)))).toEqual([]);
  for (const piece of [
    planted.slice(0, 12),
    hex(planted).slice(0, 30),
    encodeURIComponent(planted).slice(0, 20),
  ])
    expect(texts.filter((text) => text.includes(piece))).toEqual([]);
  // The documents of --json can still be read.
  for (const { out: printed } of all.filter(({ out: each }) => each.startsWith("{"))) JSON.parse(printed);
});

it("a key of REGDATA_KEY_FILE is in no output of a command that needs no key", async () => {
  const [one, other] = [join(folder, "one.xlsx"), join(folder, "other.xlsx")];
  await run(["matrix", "--where", "06001", "--question", "1056", "-o", one]);
  await copyFile(one, other);
  await plantIn(other);
  const keyFile = join(folder, "key");
  await writeFile(keyFile, `${planted}\n`, { mode: 0o600 });
  const { out } = await run(["diff", one, other], { env: { REGDATA_KEY_FILE: keyFile } });
  expect(out).toContain("••••");
  expect(holdsForm(out, keyForms(planted))).toBe(false);
});

it("the search for the key finds one that was planted, so that finding none proves something", async () => {
  await writeFile(join(folder, "note.txt"), `the key: ${planted}`);
  expect(await leaks()).toEqual(["note.txt"]);
});

it("the key comes from a file that only its user can read, or unseen from the keyboard; never from an argument", async () => {
  const keyFile = join(folder, "..", `${folder.split("/").at(-1)}.key`);
  await writeFile(keyFile, `${planted}\n`, { mode: 0o600 });
  const order = ["matrix", "--where", "06001", "--question", "1056", "-o", "-"];
  const service = { REGDATA_SERVICE: env.REGDATA_SERVICE };
  expect((await run([...order, "--key-file", keyFile], { env: service })).code).toBe(0);
  if (process.platform !== "win32") {
    await chmod(keyFile, 0o644);
    const open = await run([...order, "--key-file", keyFile], { env: service });
    expect([open.code, open.told]).toEqual([4, expect.stringContaining("chmod 600")]);
  }
  const typed = await run(order, { env: service, askUnseen: () => Promise.resolve(planted) });
  expect(typed.code).toBe(0);
  expect((await run(order, { env: service })).told).toContain("There is no key.");
  const argument = await run([...order, "--key", "something"], { env: service });
  expect(argument.code).toBe(2);
  expect(await readFile(keyFile, "utf8")).toContain(planted);
  const { rm } = await import("node:fs/promises");
  await rm(keyFile);
  expect(await leaks()).toEqual([]);
});
