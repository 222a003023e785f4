import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { config } from "../../src/config";
import { listFrozen } from "../../src/workbook/cell-formulas/frozen-formulas";
import { frozenNamespace, parseFrozenXml } from "../../src/workbook/cell-formulas/frozen-formulas";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import { refreshImport } from "../../src/workbook/imports/refresh/refresh";
import {
  importNamespace,
  importXml,
  parseImportXml,
  type SavedImport,
} from "../../src/workbook/imports/saved/saved-import";
import { createConnections } from "../../src/settings/named-connections";
import { createConnectionSettings } from "../../src/settings/connection";
import { createForgottenSpaces } from "../../src/settings/forgotten";
import { createImportDefaults } from "../../src/settings/choices/import-defaults";
import { createPreferenceSettings } from "../../src/settings/preferences";
import { createSavedSelections } from "../../src/settings/choices/saved-selections";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import { jsonPart, readJsonPart } from "../../src/workbook/sheet/parts/json-part";
import { freeSheetName } from "../../src/workbook/sheet/layout/sheet-name";
import { readLastKnown } from "../../src/workbook/last-known/last-known-book";
import { lastKnownNamespace } from "../../src/workbook/last-known/last-known-values";
import { inTime } from "../excel/in-time";
import { openExcel } from "../excel/open-excel";
import { call, pass, playExcel, settled } from "../functions/excel";
import { memoryStorage } from "../settings/memory-storage";
import { baseUrl } from "../recorded-service";
import { hostileTexts, isPolluted, texts } from "./hostile-texts";

playExcel();

const short = texts.map((text) => text.slice(0, 100));
const { namespace } = config;

const saved: SavedImport = {
  id: "1",
  name: "Codes",
  tableId: "table-1",
  service: baseUrl,
  collection: null,
  form: { layout: "wide", hasCitations: false, hasNotes: false },
  columns: [
    { header: "AHJ ID", content: { of: "ahj", field: "id" } },
    { header: "Fee", content: { of: "answer", part: "value", typeId: 1056 } },
  ],
  types: [{ id: 1056, name: "Fee", unit_of_measure: "USD" }],
  lastRun: { atMs: 1, rows: 1, values: 1, notRefreshed: 0 },
};

/** Any JSON, with names of properties that every object has. */
const anyKey = fc.constantFrom("__proto__", "constructor", "toString", "length", "id", "version", "x");
const { anyJson } = fc.letrec((tie) => ({
  anyJson: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e308, 2 ** 53 + 2, 0.5, "", [], {}, ...short),
    fc.array(tie("anyJson"), { maxLength: 3 }),
    // Made as text: only JSON.parse creates an own property named __proto__.
    fc
      .array(fc.tuple(anyKey, tie("anyJson")), { maxLength: 3 })
      .map((entries) =>
        JSON.parse(`{${entries.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join()}}`),
      ),
  ),
}));

/** Replaces one place somewhere in the content with something else. */
function damaged(content: object): fc.Arbitrary<unknown> {
  const paths: (string | number)[][] = [];
  const visit = (value: unknown, path: (string | number)[]) => {
    paths.push(path);
    if (typeof value === "object" && value !== null)
      for (const [key, each] of Object.entries(value)) visit(each, [...path, key]);
  };
  visit(content, []);
  return fc.tuple(fc.constantFrom(...paths), anyJson).map(([path, value]) => {
    const copy = { root: structuredClone(content) } as Record<string, unknown>;
    let at = copy;
    for (const key of ["root", ...path].slice(0, -1)) at = at[key] as Record<string, unknown>;
    at[["root", ...path].at(-1)!] = value;
    return copy.root;
  });
}

describe("a part of the workbook", () => {
  const content = fc.dictionary(fc.constantFrom("a", "__proto__", "constructor"), fc.constantFrom(...short));
  it("is XML whatever it holds, and reads back as it was", () => {
    const allowed = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/;
    fc.assert(
      fc.property(fc.oneof(content, fc.array(fc.string({ unit: "binary" }))), (held) => {
        const xml = jsonPart("import", importNamespace, held);
        const [, inside = ""] = /^<import xmlns="[^"]+">([^<&>]*)<\/import>$/.exec(xml) ?? [];
        expect(inside).not.toBe("");
        expect(allowed.test(inside.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""))).toBe(true);
        expect(readJsonPart("import", xml)).toEqual(JSON.parse(JSON.stringify(held)));
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it("that is damaged anywhere is refused or read, and does nothing else", () => {
    const frozen = {
      ...{ version: 1, atMs: 1 },
      formulas: [
        {
          ...{ sheetId: "1", sheetName: "S", row: 0, column: 0, rows: 1, columns: 1, shown: "x" },
          ...{ formula: "=REGDATA.VALUE(A1,1)", numberFormats: "General" },
        },
      ],
    };
    fc.assert(
      fc.property(damaged({ version: 1, ...saved }), damaged(frozen), (someImport, someFrozen) => {
        const read = parseImportXml(jsonPart("import", importNamespace, { ...(someImport as object) }));
        if (read) {
          expect(Number.isSafeInteger(read.lastRun.rows)).toBe(true);
          expect(parseImportXml(importXml(read))).toEqual(read);
          for (const { id } of read.types) expect(Number.isSafeInteger(id)).toBe(true);
        }
        const formulas = parseFrozenXml(
          jsonPart("frozen", frozenNamespace, { ...(someFrozen as object) }),
          namespace,
        )?.formulas;
        for (const { formula } of formulas ?? []) expect(formula).toMatch(/^=.*REGDATA\./);
        expect(isPolluted()).toBe(false);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it("that is damaged does not keep the others from being read, and is left as it is", async () => {
    const bad = [
      `<import xmlns="${importNamespace}">{"__proto__":{"polluted":1}}</import>`,
      `<import xmlns="${importNamespace}">${"[".repeat(50_000)}</import>`,
      jsonPart("import", importNamespace, { ...saved, version: 2 }),
      jsonPart("import", importNamespace, { version: 1, ...saved, types: {} }),
      jsonPart("import", importNamespace, { version: 1, ...saved, lastRun: { atMs: -1 } }),
      ...[frozenNamespace, lastKnownNamespace].flatMap((ns) => [
        `<x xmlns="${ns}">{</x>`,
        jsonPart(ns === frozenNamespace ? "frozen" : "values", ns, {
          version: 1,
          __proto__: null,
          answers: 1,
        }),
      ]),
    ];
    const { app, document, enter, values } = openExcel({ key: null });
    for (const xml of [...bad, importXml({ ...saved, id: "good" })])
      await inTime(app.workbook.writePart(null, xml));
    document.customXmlParts.set(
      "huge",
      `<import xmlns="${importNamespace}">${"x".repeat(5_000_001)}</import>`,
    );
    const before = [...document.customXmlParts.values()];
    const { imports, refused } = await inTime(createImportBook(app.workbook).list());
    expect(imports.map(({ saved: { id }, place }) => [id, place])).toEqual([["good", null]]);
    expect(refused).toHaveLength(6);
    for (const { reason } of refused) expect(reason).toMatch(/^It is .*\.$|^A later version .*\.$/);
    expect((await inTime(listFrozen(app.workbook, namespace))).unreadable).toBe(2);
    expect(await inTime(readLastKnown(app.workbook))).toMatchObject({ values: null, unreadable: 2 });
    enter("A1", [['=REGDATA.VALUE("06001", 1003)']]);
    await pass(5_000);
    expect(values("A1")).toEqual([["#N/A"]]);
    expect([...document.customXmlParts.values()]).toEqual(before);
    expect(isPolluted()).toBe(false);
  });

  it("that points at a table of somebody else's leaves it as it is", async () => {
    const { app, enter, values, spreadsheet } = openExcel();
    const rows = [
      ["Id", "Fee"],
      ["1", "5"],
      ["__proto__", "6"],
      ["9007199254740993", "7"],
      ["9007199254740992", "8"],
    ];
    enter(
      "A1",
      rows.map((row) => row.map((cell) => `'${cell}`)),
    );
    const sheetId = spreadsheet.sheets()[0]!.id;
    const rect = { row: 0, column: 0, rows: rows.length, columns: 2 };
    const { id: tableId } = spreadsheet.addTable({
      sheetId,
      rect,
      name: "T",
      showHeaders: true,
      style: "",
    } as never);
    const columns: SavedImport["columns"] = [
      { header: "Id", content: { of: "ahj", field: "id" } },
      { header: "Fee", content: { of: "answer", part: "value", typeId: 1056 } },
    ];
    expect(parseImportXml(importXml({ ...saved, tableId, columns }))).toBeNull();
    const session = await inTime(app.session());
    const named = { ...saved, tableId, columns: [{ ...columns[0]!, header: "AHJ ID" }, columns[1]!] };
    const tables = createImportTables(app.workbook);
    await inTime(
      refreshImport(named, { tables, book: createImportBook(app.workbook), ...session }).catch(() => null),
    );
    expect(values("A1:B5")).toEqual(rows);
  });
});

describe("the data kept on this device", () => {
  it("is used only if it makes sense, and damaged data makes nothing fail", async () => {
    const keys = ["connection", "connections", "selections", "preferences", "forgotten", "import-defaults"];
    const names = fc.constantFrom("connections", "selections", "defaults", "baseUrl", "key", "answerAgeMs");
    const anyItem = fc.oneof(
      fc.constantFrom(...short, "null", "[]", '{"version":1,"__proto__":{"polluted":1}}'),
      anyJson.map((json) => JSON.stringify(json)),
      fc
        .tuple(names, anyJson)
        .map(([name, value]) => JSON.stringify({ version: 1, [name]: value, baseUrl, key: "k" })),
    );
    await fc.assert(
      fc.asyncProperty(anyItem, async (item) => {
        const storage = memoryStorage(Object.fromEntries(keys.map((key) => [`regdata.${key}`, item])));
        const connection = await createConnectionSettings(storage).read();
        if (connection) expect(typeof connection.baseUrl + typeof connection.key).toBe("stringstring");
        const connections = createConnections(storage);
        await connections.read();
        for (const one of connections.current()) expect(typeof one.name).toBe("string");
        for (const one of await createSavedSelections(storage).read())
          expect(one.typeIds.every((id) => typeof id === "number")).toBe(true);
        expect((await createPreferenceSettings(storage).read()).answerAgeMs).toBeGreaterThan(0);
        expect((await createForgottenSpaces(storage).read()).every((name) => typeof name === "string")).toBe(
          true,
        );
        const defaults = createImportDefaults(storage);
        await defaults.read();
        if (defaults.current()) expect(typeof defaults.current()?.layout).toBe("string");
        expect(isPolluted()).toBe(false);
      }),
      { seed: 3, numRuns: 100 },
    );
  });
});

it.each(Object.entries(hostileTexts))(
  "the text %s becomes the name of a sheet that Excel takes",
  (_, text) => {
    const name = freeSheetName(text, ["Sheet1", "RegData"]);
    expect(name).toMatch(/^(?!')[^\\/?*[\]:\p{Cc}\p{Cs}]{1,31}(?<!')$/su);
    expect(name.trim()).toBe(name);
    expect(name.toLowerCase()).not.toBe("history");
  },
);

it("what a user types into a formula is a value or a sentence, for every text", async () => {
  const { app } = openExcel();
  await inTime(app.session());
  const outcomes = await settled(
    short.flatMap((text) => [
      call("VALUE", text, 1003),
      call("VALUE", "06001", text),
      call("VALUE", "06001", 1003, text),
      call("AHJ", text),
      call("AHJS", text),
      call("TYPES", text, text),
      call("COLLECTION", text, [["06001"]]),
    ]),
    60_000,
  );
  for (const outcome of outcomes) {
    if (Array.isArray(outcome) || typeof outcome === "string" || typeof outcome === "number") continue;
    const { code, message } = outcome as { code: string; message: string };
    expect(["#N/A", "#VALUE!"]).toContain(code);
    expect(message).toMatch(/[.?”]$/);
    expect(message.length).toBeLessThan(1_000);
  }
  expect(isPolluted()).toBe(false);
});
