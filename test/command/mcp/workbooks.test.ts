import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { tableFile } from "../../xlsx/table-file";
import { createPlayer, playFolder, published } from "../played-io";
import { serve } from "./served";

const order = { where: ["NV"], question: ["1056", "1057"] };

it("makes a workbook, refreshes it a month later, compares it with its backup and checks it", async () => {
  const before = await serve({ month: "before" });
  const made = await before.call("make_workbook", { ...order, output: "fees.xlsx" });
  expect(made.failure).toBeNull();
  const fees = before.path("fees.xlsx");
  expect(made.structured).toMatchObject({ files: [fees], jurisdictions: 134 });
  const old = await readFile(fees);

  const after = await serve({ month: "after", folders: [before.folder] });
  const { structured, text } = await after.call("refresh_workbook", { workbook: "fees.xlsx" });
  const { written, backup, imports } = structured as {
    written: string;
    backup: string;
    imports: { name: string; failure: null; changed: number; changes: { total: number } }[];
  };
  expect([written, dirname(backup)]).toEqual([fees, before.folder]);
  // The backup is the file as it was.
  expect(Buffer.compare(await readFile(backup), old)).toBe(0);
  const asked = await after.call("get_answers", { where: ["NV"], question: ["1056"] });
  const ids = (asked.structured["rows"] as { ahj_id: number }[]).map(({ ahj_id: id }) => id);
  const said = [
    await published(ids, [1056, 1057], { month: "before" }),
    await published(ids, [1056, 1057], { month: "after" }),
  ];
  let changed = 0;
  for (const id of ids)
    for (const type of ["1056", "1057"]) {
      const [was, is] = said.map((each) => JSON.stringify(each.get(id)?.[type]));
      if (was !== is) changed += 1;
    }
  expect(changed).toBeGreaterThan(3);
  expect(imports).toMatchObject([{ failure: null, changed, changes: { total: changed } }]);
  expect(text).toContain("The file was written.");

  const compared = await after.call("diff_workbooks", { before: basename(backup), now: fees });
  const player = createPlayer(before.folder);
  const printed = JSON.parse((await player(["diff", backup, fees, "--json"])).out) as {
    changedImports: { answers: object[] }[];
  };
  const count = printed.changedImports[0]?.answers.length;
  expect(count).toBeGreaterThan(3);
  expect(compared.structured).toMatchObject({
    differs: true,
    changed_imports: [{ answers: { total: count } }],
  });
  const checked = await after.call("check_workbook", { workbook: fees, "older-than": 365 });
  expect(checked.structured).toMatchObject({ looked_for_key: true, problems: { total: 0 }, uses: null });
  const used = await after.call("check_workbook", { workbook: fees, uses: true });
  expect(used.structured).toMatchObject({
    uses: {
      summary: expect.stringContaining("134 places and 2 questions in 0 formulas and 1 import"),
      looked_up: true,
      lines: { total: 134 + 2 + 1 },
    },
  });
  expect(used.text).toContain("Place: Nye County, NV (32023)");
});

it("keeps a dated sheet of the values before it refreshes a workbook, if it is told to", async () => {
  const before = await serve({ month: "before" });
  await before.call("make_workbook", { ...order, output: "fees.xlsx" });
  const after = await serve({ month: "after", folders: [before.folder] });
  const plain = await after.call("refresh_workbook", { workbook: "fees.xlsx", output: "plain.xlsx" });
  expect(plain.structured).toMatchObject({ snapshot: null });
  const { structured } = await after.call("refresh_workbook", { workbook: "fees.xlsx", snapshot: true });
  const name = `Values ${new Date().toISOString().slice(0, 10)}`;
  expect(structured).toMatchObject({
    snapshot: { address: `'${name}'!A1:L269`, answers: 268, edited: 0 },
  });
  const { sheets } = openWorkbookFile(await readFile(before.path("fees.xlsx")));
  expect(sheets.map((sheet) => sheet.name)).toContain(name);
});

it("makes a workbook of live formulas with their values, and one of a template", async () => {
  const { call, path } = await serve();
  await call("make_workbook", { ...order, live: true, output: "live.xlsx" });
  const [sheet] = openWorkbookFile(await readFile(path("live.xlsx"))).sheets;
  const formulas = [...(sheet?.cells() ?? [])].flatMap(({ formula }) => formula?.text ?? []);
  expect(formulas).toEqual([expect.stringContaining("MATRIX(A2:A135,{1056,1057})")]);
  const made = await call("make_template", {
    template: "scorecard",
    where: ["Clark County, NV"],
    output: "card.xlsx",
  });
  expect(made.structured).toMatchObject({ files: [path("card.xlsx")], jurisdictions: 1 });
  const refused = await call("make_workbook", { ...order, live: true, long: true, output: "no.xlsx" });
  expect(refused.failure).toMatchObject({ kind: "usage" });
});

it("replaces no file that is there, and leaves nothing of a workbook that could not be made", async () => {
  const { call, path, folder } = await serve();
  await writeFile(path("mine.xlsx"), "mine");
  expect((await call("make_workbook", { ...order, output: "mine.xlsx" })).failure).toMatchObject({
    kind: "file",
    sentence: expect.stringContaining("is there already"),
  });
  expect(await readFile(path("mine.xlsx"), "utf8")).toBe("mine");
  await call("make_workbook", { ...order, question: ["no such question"], output: "new.xlsx" });
  await call("refresh_workbook", { workbook: "mine.xlsx" });
  expect((await readdir(folder)).filter((name) => !name.startsWith(".answers"))).toEqual(["mine.xlsx"]);
});

it("takes a list of places from a file in its folder", async () => {
  const { call, path } = await serve();
  await writeFile(path("sites.txt"), "48453\n48201\n");
  const { structured } = await call("get_answers", { where: ["@sites.txt"], question: ["1056"] });
  expect(structured["rows"]).toMatchObject([{ name: "Travis County" }, { name: "Harris County" }]);
});

/** A folder with a server's folder in it, and beside that a workbook and a list that are nobody else's. */
async function withSecrets() {
  const all = await playFolder();
  const [own, others] = [join(all, "own"), join(all, "own-not")];
  await mkdir(own);
  await mkdir(others);
  const served = await serve({ folders: [own] });
  await served.call("make_workbook", { ...order, output: "fees.xlsx" });
  await copyFile(join(own, "fees.xlsx"), join(others, "secret.xlsx"));
  await writeFile(join(others, "secret.txt"), "secret words\n");
  return { ...served, all, own, others };
}

it.skipIf(process.platform === "win32")(
  "touches no file outside of its folders, by whatever path it is named, and does not say what is there",
  async () => {
    const { call, own, others } = await withSecrets();
    const secret = join(others, "secret.xlsx");
    await symlink(secret, join(own, "link.xlsx"));
    await symlink(others, join(own, "folder"));
    await symlink(join(others, "new.xlsx"), join(own, "dangling.xlsx"));
    const paths = [
      ...[secret, `../own-not/secret.xlsx`, `./x/../../own-not/secret.xlsx`, "link.xlsx"],
      ...["folder/secret.xlsx", join(own, "..", "own-not", "secret.xlsx"), `${own}-not/secret.xlsx`],
      ...["/etc/passwd", "/etc", "..", "/", "\0", `${secret}\0.xlsx`, relative(own, secret)],
    ];
    const refused = /is in none of the folders that the server was started with \(--folder\)\.$/;
    const asBook = (path: string) => (path.endsWith(".xlsx") ? path : `${path}/new.xlsx`);
    for (const path of paths) {
      const calls = [
        call("check_workbook", { workbook: path }),
        call("refresh_workbook", { workbook: path }),
        call("refresh_workbook", { workbook: "fees.xlsx", output: path }),
        call("diff_workbooks", { before: "fees.xlsx", now: path }),
        call("diff_workbooks", { before: path, now: "fees.xlsx" }),
        call("get_answers", { where: [`@${path}`], question: ["1056"] }),
        call("find_places", { where: [`@${path}`], if: ["1056 at most 60"] }),
        call("make_workbook", { ...order, output: asBook(path) }),
        call("make_template", { template: "scorecard", output: asBook(path) }),
      ];
      for (const { failure } of await Promise.all(calls)) {
        expect([path, failure?.kind]).toEqual([path, "file"]);
        expect(failure?.sentence).toMatch(refused);
      }
    }
    // Nothing tells a file outside that is there from one that is not.
    const of = async (name: string) =>
      (await call("check_workbook", { workbook: `../own-not/${name}` })).failure?.sentence.replace(name, "X");
    expect(await of("secret.xlsx")).toBe(await of("nothing.xlsx"));
    for (const name of ["folder/new.xlsx", "dangling.xlsx"])
      expect((await call("make_workbook", { ...order, output: name })).failure).toMatchObject({
        kind: "file",
      });
    expect((await readdir(others)).sort()).toEqual(["secret.txt", "secret.xlsx"]);
  },
);

it.skipIf(process.platform === "win32")(
  "works through a link to its folder, and refuses what is no file, which might never end",
  async () => {
    const all = await playFolder();
    const own = join(all, "own");
    await mkdir(own);
    await symlink(own, join(all, "link"));
    const { call } = await serve({ folders: [join(all, "link")] });
    const made = await call("make_workbook", { ...order, output: join(all, "link", "fees.xlsx") });
    expect(made.failure).toBeNull();
    execFileSync("mkfifo", [join(own, "pipe.xlsx")]);
    const words = /can't be read: it is no file\.$/;
    expect((await call("check_workbook", { workbook: "pipe.xlsx" })).failure?.sentence).toMatch(words);
    expect((await call("check_workbook", { workbook: "." })).failure).toMatchObject({ kind: "file" });
    const missing = await call("check_workbook", { workbook: "missing.xlsx" });
    expect(missing.failure?.sentence).toMatch(/can't be read: there is no such file\.$/);
  },
);

it("touches no file without a folder, and starts with none that is none", async () => {
  const { call } = await serve({ folders: [] });
  const without = { kind: "file", sentence: expect.stringContaining("Start it with --folder") };
  expect((await call("check_workbook", { workbook: "fees.xlsx" })).failure).toMatchObject(without);
  expect((await call("get_answers", { where: ["@sites.txt"], question: ["1056"] })).failure).toMatchObject(
    without,
  );
  const player = createPlayer(await playFolder());
  expect(await player(["mcp", "--folder", "/no/such/folder"])).toMatchObject({
    code: 2,
    out: "",
  });
});

it("works on one workbook at a time, however many calls come at once", async () => {
  const { call, path } = await serve();
  const names = ["a", "b", "c"].map((name) => `${name}.xlsx`);
  const made = await Promise.all(names.map((output) => call("make_workbook", { ...order, output })));
  expect(made.map(({ failure }) => failure)).toEqual([null, null, null]);
  const refreshed = await Promise.all(names.map((workbook) => call("refresh_workbook", { workbook })));
  for (const { structured } of refreshed)
    expect(structured).toMatchObject({ imports: [{ failure: null, changed: 0 }] });
  const read = await Promise.all(names.map(async (name) => openWorkbookFile(await readFile(path(name)))));
  expect(read.map(({ sheets }) => sheets.length)).toEqual([1, 1, 1]);
});

it("fills a table of one's own, says what it filled and what is not clear, and writes nothing if it is asked not to", async () => {
  const { call, path } = await serve();
  const rows = [
    ["County", "State", "Elec. code", "Minimum permit fee ($)"],
    ["Clark County", "NV", "", ""],
    ["Nowhere", "NV", "", ""],
  ];
  await writeFile(path("own.xlsx"), tableFile("Own", rows));
  const old = await readFile(path("own.xlsx"));
  const dry = await call("fill_table", { workbook: "own.xlsx", "dry-run": true });
  expect(dry.structured).toMatchObject({ written: null, rows: 1, places: ["County", "State"] });
  expect(Buffer.compare(await readFile(path("own.xlsx")), old)).toBe(0);
  const { structured, text } = await call("fill_table", { workbook: "own.xlsx", table: "own" });
  expect(structured).toMatchObject({
    ...{ written: path("own.xlsx"), table: "Own", rows: 1, left: 0 },
    unclear: { total: 1, first: ["Nowhere, NV"] },
    columns: { first: [{ question: { id: 1003 } }, { question: { id: 1056 } }] },
  });
  expect(text).toContain("Electrical Code in Force");
  const [sheet] = openWorkbookFile(await readFile(path("own.xlsx"))).sheets;
  const cells = new Map([...sheet!.cells()].map(({ row, column, value }) => [`${row} ${column}`, value]));
  const id = Number(cells.get("1 4"));
  const said = await published([id], [1003], {});
  expect(cells.get("1 2")).toBe(said.get(id)?.["1003"]?.value);
  expect(cells.get("2 2") ?? "").toBe("");
});
