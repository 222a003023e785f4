import { describe, expect, it, vi } from "vitest";
import { config } from "../../../src/config";
import {
  type CellArea,
  type CellContents,
  cellKey,
  type FormulaCell,
} from "../../../src/workbook/sheet/cells/formula-search";
import { cellAddress } from "../../../src/workbook/sheet/layout/cell-address";
import type { Scalar } from "../../../src/workbook/sheet/values/cell-value";
import { collectValues } from "../../../src/workbook/last-known/collect";
import {
  removeLastKnown,
  readLastKnown,
  writeLastKnown,
} from "../../../src/workbook/last-known/last-known-book";
import {
  mostCharacters,
  parseLastKnownXml,
  lastKnownNamespace,
  type LastKnownValues,
  lastKnownXml,
} from "../../../src/workbook/last-known/last-known-values";
import { createWithoutKey } from "../../../src/workbook/last-known/without-key";
import { baseUrl } from "../../recorded-service";
import {
  call,
  type FormulaName,
  notAvailable,
  pass,
  playExcel,
  readable,
  result,
  row,
  settled,
  start,
} from "../../functions/excel";

playExcel();

const { namespace } = config;
const notConnected = notAvailable(/not connected/);
const didNotTravel = notAvailable(
  /has no last-known value for this\. Connect in the RegData pane\. The formulas then ask the service\./,
);

/** The contents of the cells that the formulas refer to. */
const sheet: Record<string, unknown[][]> = {
  A1: [["06001"]],
  "$A$1:$A$2": [["06001"], ["06037"]],
  B1: [[1003]],
};
const workbook = {
  valuesAt: (_: string, addresses: readonly string[]) =>
    Promise.resolve(addresses.map((address) => sheet[address] ?? null)),
  readCells(areas: readonly CellArea[]) {
    const contents = areas.map(({ sheetId, row, column }): [string, CellContents] => {
      const value = (sheet[cellAddress("A1", row, column)]?.[0]?.[0] ?? "") as Scalar;
      const text = String(value);
      return [cellKey(sheetId, row, column), { value, text, formula: text, numberFormat: "General" }];
    });
    return Promise.resolve(new Map(contents));
  },
  // No formula here stands in a table.
  run: () => Promise.reject(new Error("not expected")),
};

function cellsOf(formulas: readonly string[]): FormulaCell[] {
  return formulas.map((formula, at) => ({
    ...{ sheetId: "s", sheetName: "Sheet1", row: at, column: 3, rows: 1, columns: 1, formula },
  }));
}

/** The questions of the author's formulas, each with the call of the opener's formula. */
const asked: [formula: string, name: FormulaName, ...args: unknown[]][] = [
  ['=REGDATA.VALUE("06001", 1003)', "VALUE", "06001", 1003],
  ["=REGDATA.VALUE(A1, B1)", "VALUE", "06001", 1003, "text"],
  ["=IF(TRUE, REGDATA.CITATION(A1, 1003))", "CITATION", "06001", 1003],
  ["=REGDATA.VALUE($A$1:$A$2, {1056,1001})", "VALUE", [["06001"], ["06037"]], row(1056, 1001)],
  ["=REGDATA.MATRIX($A$1:$A$2, {1056,1001})", "MATRIX", [["06001"], ["06037"]], row(1056, 1001)],
  ['=REGDATA.VALUE("06001", "Electrical Code in Force")', "VALUE", "06001", "Electrical Code in Force"],
  ['=REGDATA.VALUE("ahj:10243", 1003)', "VALUE", "ahj:10243", 1003],
  ['=REGDATA.CHANGED("06001", 1056, "2020-01-01")', "CHANGED", "06001", 1056, "2020-01-01"],
  ['=REGDATA.AHJ("06001", {"name","county"})', "AHJ", "06001", row("name", "county")],
];

async function shared(formulas = asked.map(([formula]) => formula)) {
  const { app, requests } = start();
  const shown = await settled(asked.map(([, name, ...args]) => call(name, ...args)));
  requests.length = 0;
  const { lookup } = await app.session();
  const collected = await collectValues(cellsOf(formulas), { workbook, lookup, namespace });
  expect(requests).toEqual([]);
  return { shown, ...collected, xml: lastKnownXml(collected.values) };
}

/** Opens the workbook, without a key unless one is given; `readTexts` reads the answers that travel with it. */
function open(readTexts: () => Promise<string[]>, key: string | null = null) {
  return start({ key, lastKnown: createWithoutKey(readTexts) });
}

/** The parts of a workbook. */
function partsOf(...texts: string[]) {
  const parts = new Map(texts.map((xml, at) => [String(at), xml]));
  return {
    parts,
    readParts: (namespace: string) => {
      expect(namespace).toBe(lastKnownNamespace);
      return Promise.resolve([...parts].map(([id, xml]) => ({ id, xml })));
    },
    writePart: (id: string | null, xml: string) => {
      const written = id ?? String(parts.size);
      parts.set(written, xml);
      return Promise.resolve(written);
    },
    deletePart: (id: string) => Promise.resolve(void parts.delete(id)),
  };
}

describe("values that travel", () => {
  it("answer the workbook's formulas if there is no key, and no others, without a request", async () => {
    const { shown, xml, notKept, left } = await shared();
    expect([notKept, left]).toEqual([0, []]);
    const { requests } = open(() => Promise.resolve([xml]));
    const again = await settled(asked.map(([, name, ...args]) => call(name, ...args)));
    const cells = (outcomes: unknown[]) =>
      outcomes.map((outcome) => (Array.isArray(outcome) ? readable(outcome as unknown[][]) : outcome));
    expect(cells(again)).toEqual(cells(shown));
    expect(again).not.toContainEqual(notConnected);

    expect(await result("VALUE", "06001", 1003, "status")).toBe("old answer");
    expect(await result("VALUE", "06001", 1089)).toEqual(didNotTravel);
    expect(await result("VALUE", "06075", 1003)).toEqual(didNotTravel);
    expect(await result("VALUE", "06001", "Building Code in Force")).toEqual(didNotTravel);
    expect(await result("AHJ", "06075")).toEqual(didNotTravel);
    expect(await result("VALUE", "06075", 1003, "status")).toBe("no key");
    for (const name of ["AHJS", "TYPES", "COLLECTIONS"] as const) {
      expect(await result(name)).toEqual(notConnected);
    }
    expect(await result("COLLECTION", "Zoning", "06001")).toEqual(notConnected);
    expect(requests).toEqual([]);
  });

  it("hold neither a key nor an address, and of the workbook's formulas only their questions", async () => {
    const { xml, values } = await shared(['=REGDATA.VALUE("06001", 1003)']);
    expect(values.answers.map(({ ahjId, typeId }) => [ahjId, typeId])).toEqual([[10243, 1003]]);
    expect(values.ahjs.map(({ id }) => id)).toEqual([10243]);
    expect(xml).not.toContain("demo-national");
    expect(xml).not.toContain(baseUrl);
    const read = parseLastKnownXml(xml);
    expect(read && lastKnownXml(read)).toBe(xml);
  });

  it("say if no value is recorded, so that a formula shows its author's replacement", async () => {
    const { app } = start();
    const all = Array.from({ length: 40 }, (_, at) => 1001 + at);
    const [statuses = []] = (await result("VALUE", "06001", row(...all), "status")) as string[][];
    const empty = all[statuses.indexOf("no value")];
    const { lookup } = await app.session();
    const cells = cellsOf([`=REGDATA.VALUE("06001", ${empty}, , "none")`]);
    const { values } = await collectValues(cells, { workbook, lookup, namespace });
    open(() => Promise.resolve([lastKnownXml(values)]));
    expect(await result("VALUE", "06001", empty, null, "none")).toBe("none");
  });

  it("leave out values that are not kept or can't be read, and say so", async () => {
    const formulas = [
      '=REGDATA.VALUE("06001", 1089)',
      "=REGDATA.VALUE(A1:A99999, 1003)",
      "=REGDATA.VALUE(names, 1003)",
      "=REGDATA.TYPES()",
      '=REGDATA.COLLECTION("Zoning", A1)',
      "=LET(a, REGDATA.VALUE(LEFT(A1, 5), 1003), a)",
      '=REGDATA.VALUE("06001", 1003) & MAP(A1:A2, LAMBDA(a, REGDATA.VALUE(a, 1056)))',
      '=LET(a, REGDATA.VALUE("06001", 1003), a)',
    ];
    const { notKept, left, values } = await shared(formulas);
    expect(notKept).toBe(1);
    expect(left.map(({ formula }) => formula)).toEqual(formulas.slice(1, -1));
    expect(values.answers).toHaveLength(1);
  });

  it("are never used with a key: what is outside the subscription says so", async () => {
    const { xml } = await shared();
    const readTexts = vi.fn(() => Promise.resolve([xml]));
    const { app } = open(readTexts, "demo-county");
    expect(await result("VALUE", "06037", 1056)).toEqual(notAvailable(/outside your subscription/));
    await app.connect(baseUrl, "demo-none");
    expect(await result("VALUE", "06001", 1003)).toEqual(notAvailable(/outside your subscription/));
    expect(readTexts).not.toHaveBeenCalled();
    await app.forget();
    expect(await result("VALUE", "06037", 1056, "status")).toBe("old answer");
  });

  it("are not used either if the saved key can't be read", async () => {
    const readTexts = vi.fn(() => Promise.resolve([]));
    const getItem = () => Promise.reject(new Error("busy"));
    start({ lastKnown: createWithoutKey(readTexts), storage: (kept) => ({ ...kept, getItem }) });
    expect(await result("VALUE", "06001", 1003)).toEqual(notAvailable(/saved connection can't be read/));
    expect(readTexts).not.toHaveBeenCalled();
  });

  it("give way to a key that is entered while they are read", async () => {
    const { xml } = await shared();
    let isRead = (_: string[]) => {};
    const { app } = open(() => new Promise((resolve) => (isRead = resolve)));
    const cell = call("VALUE", "06037", 1056, "status");
    await pass(100);
    await app.connect(baseUrl, "demo-county");
    isRead([xml]);
    expect(await settled([cell])).toEqual(["outside subscription"]);
  });

  it("are read once for all cells of a recalculation, and anew for a later one", async () => {
    const { xml } = await shared();
    const texts = [[xml], []];
    const readTexts = vi.fn(() => Promise.resolve(texts.shift() ?? []));
    open(readTexts);
    const cells = await settled(Array.from({ length: 500 }, () => call("VALUE", "06001", 1003, "status")));
    expect(new Set(cells)).toEqual(new Set(["old answer"]));
    expect(readTexts).toHaveBeenCalledTimes(1);
    await pass(60_000);
    // The author has removed the last-known answers meanwhile.
    expect(await result("VALUE", "06001", 1003)).toEqual(notConnected);
    expect(readTexts).toHaveBeenCalledTimes(2);
  });

  it("are waited for if Excel is busy, but every cell is settled", async () => {
    const { xml } = await shared();
    let refusals = 2;
    open(() => (refusals-- > 0 ? Promise.reject(new Error("busy")) : Promise.resolve([xml])));
    expect(await result("VALUE", "06001", 1003, "status")).toBe("old answer");

    let isEditing = true;
    open(() => (isEditing ? new Promise(() => {}) : Promise.resolve([xml])));
    expect(await result("VALUE", "06001", 1003)).toEqual(notConnected);
    isEditing = false;
    expect(await result("VALUE", "06001", 1003, "status")).toBe("old answer");
  });
});

describe("the part that holds last-known values", () => {
  const values: LastKnownValues = {
    ...{ atMs: 2_000, oldestMs: 1_000 },
    ahjs: [{ id: 1, name: "Here", type: "county", state_code: "CA", geoid: "06001" }],
    details: [],
    types: [{ id: 7, name: "Fee", unit_of_measure: "USD" }],
    ahjNames: [["06001", 1]],
    typeNames: [],
    answers: [{ ahjId: 1, typeId: 7, value: "$5", reference: null, section: null, updatedAt: null }],
  };
  const changed = (change: (content: Record<string, unknown>) => void) => {
    const content = JSON.parse(/\{.*\}/s.exec(lastKnownXml(values))?.[0] ?? "") as Record<string, unknown>;
    change(content);
    return `<values xmlns="${lastKnownNamespace}">${JSON.stringify(content).replaceAll("<", "\\u003c")}</values>`;
  };
  const foreign = {
    "of a later version": changed((content) => (content.version = 2)),
    "of another shape": changed((content) => (content.answers = [{ ahjId: 1 }])),
    "with a value that is no text": changed((content) => (content.answers = [[1, 7, 5, null, null, null]])),
    "of no time": changed((content) => (content.oldestMs = 1e300)),
    "that is none": `<values xmlns="${lastKnownNamespace}">nothing</values>`,
    "that would keep a reader busy": `<values xmlns="${lastKnownNamespace}"><!--${"<values ".repeat(40_000)}--><x/></values>`,
    huge: changed((content) => (content.ahjNames = [["x".repeat(mostCharacters), 1]])),
  };

  it.each(Object.entries(foreign))("is not used and left as it is if it is one %s", async (_, xml) => {
    open(() => Promise.resolve([xml]));
    const startedMs = performance.now();
    expect(await result("VALUE", "06001", 7)).toEqual(notConnected);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    const book = partsOf(xml);
    expect(await readLastKnown(book)).toEqual({ values: null, characters: 0, unreadable: 1 });
    expect(await writeLastKnown(book, values)).toBeNull();
    await removeLastKnown(book);
    expect([...book.parts.values()]).toEqual([xml]);
  });

  it("gives no names of JavaScript's own, and its texts stay texts", async () => {
    const xml = changed((content) => {
      content.ahjNames = [["__proto__", 1]];
      content.typeNames = [["constructor", 7]];
      content.answers = [[1, 7, "=1+1<b>", "=HYPERLINK()", null, null]];
    });
    open(() => Promise.resolve([xml]));
    expect(await result("VALUE", "ahj:1", "constructor")).toBe("=1+1<b>");
    expect(await result("VALUE", "ahj:1", 7, "citation")).toBe("=HYPERLINK()");
    for (const name of ["toString", "valueOf", "__proto__"]) {
      expect(await result("VALUE", "ahj:1", name)).toEqual(didNotTravel);
    }
  });

  it("replaces the one before; a colleague's copy goes; removed, nothing is left", async () => {
    const later = { ...values, atMs: 3_000, oldestMs: 3_000 };
    const book = partsOf(lastKnownXml(values), lastKnownXml(later));
    expect((await readLastKnown(book)).values?.oldestMs).toBe(3_000);
    await writeLastKnown(book, { ...values, atMs: 4_000 });
    expect(book.parts.size).toBe(1);
    expect((await readLastKnown(book)).values?.atMs).toBe(4_000);
    book.parts.set("a colleague's", lastKnownXml(later));
    await removeLastKnown(book);
    expect(book.parts.size).toBe(0);
  });

  it("is not written if it would be too large, and says how many answers fit", async () => {
    const book = partsOf(lastKnownXml(values));
    const answers = Array.from({ length: 4_000 }, (_, at) => ({
      ...{ ahjId: 1, typeId: at, value: "x".repeat(470), reference: null, section: null, updatedAt: null },
    }));
    const refused = await writeLastKnown(book, { ...values, answers });
    expect(refused?.fit).toBeGreaterThan(1_900);
    expect(refused?.fit).toBeLessThan(2_100);
    expect((await readLastKnown(book)).values?.answers).toHaveLength(1);
    expect(await writeLastKnown(book, { ...values, answers: answers.slice(0, 1_900) })).toBeNull();
  });
});
