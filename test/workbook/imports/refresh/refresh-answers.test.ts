import { describe, expect, it } from "vitest";
import { asShown, textsOf } from "../../../../src/workbook/imports/refresh/compare-answers";
import type { RefreshReport } from "../../../../src/workbook/imports/refresh/plan-refresh";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { ahj, fee, playImport, playLookup, published, rule, type Said } from "../played-import";

const [alpha, beta, gamma] = [ahj(1, "Alpha"), ahj(2, "Beta"), ahj(3, "Gamma")];
const said = {
  "1 10": published("$30", { section: "1-10" }),
  "1 20": published("as adopted", { section: "1-20" }),
  "2 10": published("$40", { section: "2-10" }),
};
const noted = { ...plainForm, hasNotes: true };

describe("a refresh counts and compares", () => {
  it("values, not cells; and lists nothing for a pair that had no value and has none", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], said, known: { ...said, "2 20": null } });
    const { saved, report } = await sheet.refresh(said);
    expect(saved.lastRun).toMatchObject({ rows: 2, values: 3, notRefreshed: 0 });
    expect(report.changes).toEqual([]);
    expect(sheet.edits[0]?.updates).toEqual([]);
  });

  it.each([
    ["its value", { value: "$31" }],
    ["its reference", { reference: "New Code" }],
    ["its section", { section: "9-9" }],
  ])("values, and lists one as changed if %s is different", async (_, change) => {
    const sheet = await playImport({ ahjs: [alpha, beta], said, known: said });
    const now = { ...said["1 10"], ...change };
    const { report } = await sheet.refresh({ ...said, "1 10": now });
    expect(report.changes).toMatchObject([
      {
        ahj: { id: 1 },
        type: fee,
        place: { row: 0, header: "Fee ($)" },
        before: { value: "$30" },
        after: now,
      },
    ]);
  });

  it.each(["'tis required", "it's required", "''quoted''", ""])(
    "values, and sees that a cell still shows %j",
    async (value) => {
      const asPublished: Said = value === "" ? {} : { "1 20": published(value) };
      const sheet = await playImport({ ahjs: [alpha], said: asPublished });
      const { report } = await sheet.refresh(asPublished);
      expect([report.changes, sheet.edits[0]?.updates]).toEqual([[], []]);
    },
  );

  it("the cell's text, if this device knows nothing of the earlier value", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], said });
    const { report } = await sheet.refresh({ "1 10": published("$31"), "2 20": published("new") });
    // It is not known that these texts were the service's; a blank cell had no text of any user.
    const texts = [...report.unsure, ...report.changes].map(({ ahj, type, before, after }) => [
      `${ahj.id} ${type?.id}`,
      before && [before.value, before.reference, before.section, before.updatedAt],
      after?.value,
    ]);
    expect(texts).toEqual([
      ["1 10", ["$30", null, null, null], "$31"],
      ["2 10", ["$40", null, null, null], undefined],
      ["1 20", ["as adopted", null, null, null], undefined],
      ["2 20", null, "new"],
    ]);
  });

  it.each([
    ["", null],
    [undefined, null],
    [null, null],
    [0, "0"],
    [false, "FALSE"],
    [" ", " "],
  ])("a cell that holds %j as %j", (value, text) => {
    expect(asShown({ value, numberFormat: "General" }, "value", plainForm)?.value ?? null).toBe(text);
  });

  it.each([
    ["value", true, null],
    ["value", false, "–"],
    ["reference", true, "–"],
  ] as const)("a dash in a cell of the %s, in an import with dashes: %s, as %j", (part, hasDashes, text) => {
    const form = { ...plainForm, hasDashes };
    expect(asShown({ value: "–", numberFormat: "General" }, part, form)?.value ?? null).toBe(text);
  });

  it("before and after in the same form: as published, or as the cell shows them", async () => {
    const required = { id: 30, name: "Required", unit_of_measure: "Boolean" };
    const saidOf = (word: string, amount: string) => ({ "1 10": published(amount), "1 30": published(word) });
    const [earlier, now] = [saidOf("Not required", "$30"), saidOf("Yes", "$1,031")];
    const textsIn = ({ changes, unsure }: RefreshReport) =>
      [...changes, ...unsure].map((change) => Object.values(textsOf(change)));
    const inKind = { ahjs: [alpha], types: [fee, required] };
    const unknown = await playImport({ ...inKind, said: earlier });
    expect(textsIn((await unknown.refresh(now)).report)).toEqual([
      ["$30", "$1,031"],
      ["FALSE", "TRUE"],
    ]);
    const kept = await playImport({ ...inKind, said: earlier, known: earlier });
    expect(textsIn((await kept.refresh(now)).report)).toEqual([
      ["$30", "$1,031"],
      ["Not required", "Yes"],
    ]);
  });
});

describe("an answer that the service does not give to the refreshing user", () => {
  const denied = { ...said, "1 10": "outside-subscription", "1 20": "outside-subscription" } as const;

  it("is named with the cells of its value, not with those of its citation or of new columns", async () => {
    const hours = { id: 30, name: "Hours", unit_of_measure: "" };
    const sheet = await playImport({ ahjs: [alpha, beta], said, form: { ...plainForm, hasCitations: true } });
    const change = { types: [fee, rule, hours], newAhjs: [] };
    const { report, saved } = await sheet.refresh({ ...denied, "1 30": "outside-subscription" }, { change });
    expect(report.notRefreshed).toEqual([
      {
        ...{ ahjId: 1, name: "Alpha", kind: "outside-subscription" },
        places: [
          { row: 0, header: "Fee ($)" },
          { row: 0, header: "Rule" },
        ],
        values: 2,
      },
    ]);
    expect(saved.lastRun.notRefreshed).toBe(1);
  });

  it("leaves its record and all others for the next comparison", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], said, known: said });
    await sheet.refresh(denied);
    const { report } = await sheet.refresh({ "1 10": published("$31"), "1 20": said["1 20"] });
    expect(report.changes.map(({ before }) => [before?.value, before?.section])).toEqual([
      ["$30", "1-10"],
      ["$40", "2-10"],
    ]);
  });

  it("adds no row for an AHJ that is refused, but one for an AHJ with an unknown type", async () => {
    const sheet = await playImport({ ahjs: [alpha], said });
    const now = { ...said, "2 20": "unknown-type", "3 10": "outside-subscription" } as const;
    const change = { types: [fee, rule], newAhjs: [beta, gamma] };
    const { report } = await sheet.refresh(now, { change });
    expect(report.newRows).toBe(1);
    expect(sheet.rows.map((row) => [row.Name?.value, row["Fee ($)"]?.value])).toEqual([
      ["Alpha", 30],
      ["Beta", 40],
    ]);
    expect(report.notRefreshed).toEqual([
      { ahjId: 3, name: "Gamma", kind: "outside-subscription", places: [], values: 0 },
    ]);
  });
});

describe("a refresh that adds rows", () => {
  it("of AHJs counts their values, lists none as news, and can tell all rows apart", async () => {
    const sheet = await playImport({ ahjs: [alpha], said });
    const change = { types: [fee, rule], newAhjs: [beta] };
    const { report, saved } = await sheet.refresh(said, { change });
    expect(saved.lastRun).toMatchObject({ rows: 2, values: 3 });
    expect(report).toMatchObject({
      changes: [],
      newRows: 1,
      read: { ids: ["AHJ ID"], keys: ["[1]", "[2]"] },
    });
    expect(sheet.rows[1]?.Rule?.value).toBe("");
  });

  it("of new values lists each with its own citation, and can tell all rows apart", async () => {
    const form = { layout: "long", hasCitations: true, hasNotes: true } as const;
    const sheet = await playImport({
      ...{ ahjs: [alpha, beta], said: { "1 10": said["1 10"], "2 10": said["2 10"] }, form },
      known: { "1 10": said["1 10"], "2 10": said["2 10"], "1 20": null, "2 20": null },
    });
    const { report, saved } = await sheet.refresh(said);
    expect(saved.lastRun).toMatchObject({ rows: 3, values: 3 });
    expect(report.changes).toMatchObject([
      { ahj: alpha, type: rule, place: { row: 2, header: "Value" }, before: null, after: said["1 20"] },
    ]);
    expect(report.read).toEqual({ ids: ["AHJ ID", "Type ID"], keys: ["[1,10]", "[2,10]", "[1,20]"] });
    expect(sheet.cell(2, "Value")).toMatchObject({ value: "as adopted", note: "Code\n1-20" });
    expect(sheet.cell(2, "Section").value).toBe("1-20");
  });

  it("writes into the columns that are there", async () => {
    const form = { layout: "long", hasCitations: true } as const;
    const sheet = await playImport({
      ...{ ahjs: [alpha], said: { "1 10": said["1 10"] }, form },
      known: { "1 10": said["1 10"], "1 20": null },
    });
    for (const header of ["Unit", "Reference"]) sheet.cut(header);
    const { report } = await sheet.refresh(said);
    expect(report.missingColumns).toEqual(["Unit", "Reference"]);
    expect(new Set(Object.keys(sheet.rows[1] ?? {}))).toEqual(new Set(sheet.headers));
  });
});

describe("the notes of refreshed values", () => {
  const notesOf = ({ rows }: Awaited<ReturnType<typeof playImport>>) =>
    rows.map((row) => [row["Fee ($)"]?.note, row.Rule?.note]);

  it("are written if their present text is unknown, and the look of numbers stays; text is text again", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], said, form: noted });
    Object.assign(sheet.cell(0, "Fee ($)"), { numberFormat: "0.000" });
    Object.assign(sheet.cell(0, "Rule"), { numberFormat: "General" });
    const { report } = await sheet.refresh(said);
    expect(report.changes).toEqual([]);
    expect(sheet.cell(0, "Fee ($)")).toEqual({ value: 30, numberFormat: "0.000", note: "Code\n1-10" });
    expect(sheet.cell(0, "Rule")).toEqual({ value: "as adopted", numberFormat: "@", note: "Code\n1-20" });
    expect(notesOf(sheet)[1]).toEqual(["Code\n2-10", undefined]);
  });

  it("are none if the import has none", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], said });
    await sheet.refresh({ ...said, "1 10": published("$31") });
    expect(sheet.edits[0]?.updates.map(({ note }) => note)).toEqual([undefined]);
  });

  it("stand on values, never on citations; notes that were left are known by their value", async () => {
    const sheet = await playImport({
      ...{ ahjs: [alpha, beta], said, known: said },
      form: { ...noted, hasCitations: true },
    });
    Object.assign(sheet.cell(0, "Fee: Reference"), { value: "somebody's own" });
    sheet.excel.canNote = false;
    const now = { ...said, "2 10": published("$41") };
    expect((await sheet.refresh(now)).report.notesLeft).toBe(1);
    expect(sheet.cell(0, "Fee: Reference").value).toBe("Code");
    sheet.excel.canNote = true;
    await sheet.refresh(now);
    const written = sheet.edits[1]?.updates.map(({ row, header, note }) => [row, header, note]);
    expect(written).toEqual([[1, "Fee ($)", "Code\n1"]]);
  });

  it("of new rows name the source of each value; notes that were left are written by the next refresh", async () => {
    const sheet = await playImport({ ahjs: [beta], said, form: noted, known: { "2 10": said["2 10"] } });
    const change = { types: [fee, rule], newAhjs: [alpha] };
    sheet.excel.canNote = false;
    const first = await sheet.refresh(said, { change });
    expect(first.report.notesLeft).toBe(2);
    sheet.excel.canNote = true;
    await sheet.refresh(said);
    expect(notesOf(sheet)).toEqual([
      [undefined, undefined],
      ["Code\n1-10", "Code\n1-20"],
    ]);
    expect((await sheet.refresh(said)).report.changes).toEqual([]);
    expect(sheet.edits[2]?.updates).toEqual([]);
  });
});

describe("a refresh under way", () => {
  it("reports how many of the cells are written", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], said });
    const progress: unknown[] = [];
    await sheet.refresh({}, { onProgress: (at) => progress.push(at) });
    expect(progress).toEqual([{ phase: "writing", done: 3, total: 3 }]);
  });

  it("can be cancelled at each of its questions", async () => {
    const form = { layout: "long", hasCitations: false } as const;
    const sheet = await playImport({
      ...{ ahjs: [alpha], said: { "1 10": said["1 10"] }, form },
      known: { "1 10": said["1 10"], "1 20": null, "2 10": null },
    });
    const service = playLookup(said, { who: [beta] });
    const { signal } = new AbortController();
    await sheet.refreshFrom(service, { signal });
    expect(service.asked).toMatchObject({ dated: ["1 20", "2 10"], ahjs: [2] });
    expect(service.signals).toHaveLength(3);
    expect(service.signals.every((given) => given === signal)).toBe(true);
  });

  it("looks up AHJs only for a list, whose entries it compares", async () => {
    const whole = await playImport({ ahjs: [alpha, beta], said });
    const service = playLookup(said, { who: [alpha, beta] });
    await whole.refreshFrom(service);
    expect(service.recalls()).toBe(0);
    // The list beside the columns now has the first entry's name in its second row, too.
    const beside = await playImport({ ahjs: [alpha, beta], said });
    Object.assign(beside.cell(1, "Name"), { value: "Alpha" });
    const columns = beside.saved.columns.filter(({ header }) => header !== "Name");
    const { report } = await beside.refreshFrom(service, {}, { columns, listHeader: "Name" });
    expect(report.otherEntries).toMatchObject([{ place: { row: 1, header: "Name" }, entry: "Alpha" }]);
  });
});
