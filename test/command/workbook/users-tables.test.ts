import { SheetFailure } from "../../../src/sheet-failure";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { beforeEach, describe, expect, it } from "vitest";
import { createService } from "../../../reference-service/service";
import { type CellChange, openWorkbookFile } from "../../../xlsx/workbook-file";
import type { Interception } from "../../recorded-service";
import { failureOf } from "../../../command/failure-exit";
import { createPlayer, playFolder } from "../played-io";

let book: string;
let run: ReturnType<typeof createPlayer>;
beforeEach(async () => {
  const folder = await playFolder();
  book = join(folder, "fees.xlsx");
  run = createPlayer(folder);
});

const find = () => run(["find", "--where", "NV", "--if", "1056 at most 30", "-o", book]);

/** Clark County (AHJ 11805) asks for $20 and not for $45, so that it meets the find's condition. */
const clarkEnters: Interception = async (request) => {
  const answer = await createService().fetch(request.clone());
  if (!answer.headers.get("Content-Type")?.includes("json")) return answer;
  const text = await answer.text();
  const changed = JSON.parse(text, (_, value: { ahj?: { id: number }; values?: Record<string, object> }) => {
    const fee = value?.ahj?.id === 11_805 ? value.values?.["1056"] : undefined;
    if (fee) Object.assign(fee, { value: "$20" });
    return value;
  }) as unknown;
  return Response.json(changed, { status: answer.status, headers: answer.headers });
};
const refresh = () => run(["refresh", book], { intercept: clarkEnters });

const opened = async () => openWorkbookFile(await readFile(book)).sheets[0]!;
const tableOf = async () => (await opened()).tables[0]!;

/** The cells of the first sheet by address: a formula with its kept result. */
async function cells(): Promise<Record<string, unknown>> {
  return Object.fromEntries(
    [...(await opened()).cells()].map(({ row, column, value, formula }) => [
      `${"ABCDEFGHIJ"[column]}${row + 1}`,
      formula ? `=${formula.text} (${String(value)})` : value,
    ]),
  );
}

async function type(...changes: CellChange[]) {
  const file = openWorkbookFile(await readFile(book));
  file.sheets[0]!.setCells(changes);
  await writeFile(book, file.save());
}

/** Changes the text of a part, found by the end of its name. */
async function edit(name: string, change: (xml: string) => string) {
  const parts = unzipSync(await readFile(book));
  const part = Object.keys(parts).find((each) => each.endsWith(name))!;
  parts[part] = strToU8(change(strFromU8(parts[part]!)));
  await writeFile(book, zipSync(parts));
}
const textOf = async (name: string) => {
  const parts = unzipSync(await readFile(book));
  return strFromU8(parts[Object.keys(parts).find((each) => each.endsWith(name))!]!);
};

/** Switches a totals row on, as Ctrl+Shift+T does; the last column, “AHJ ID”, gets a sum. */
async function switchTotalsOn(sum: number) {
  const { ref, columnNames, displayName } = await tableOf();
  const fee = columnNames.findIndex((name) => name.startsWith("Minimum Permit Fee"));
  const subtotal = (code: number, name = "") => ({ text: `SUBTOTAL(${code},${displayName}[${name}])` });
  const row = ref.rows;
  await type(
    { row, column: 0, value: "Total" },
    { row, column: fee, value: 77, formula: subtotal(101, columnNames[fee]) },
    { row, column: ref.columns - 1, value: sum, formula: subtotal(109, columnNames.at(-1)) },
  );
  const last = "ABCDEFGHIJ"[ref.columns - 1]!;
  await edit("tables/table1.xml", (xml) =>
    xml
      .replace(/(<table [^>]*?ref=")[^"]+"/, `$1A1:${last}${row + 1}"`)
      .replace('totalsRowShown="0"', 'totalsRowCount="1"'),
  );
}

it("a call that the workbook's host lacks is told in the command's own words, without Excel's and the workbench's", () => {
  const lacking = Object.assign(new Error("The workbench does not model this API. (Range.Insert Right)"), {
    code: "ApiNotFound",
  });
  const { sentence } = failureOf(
    new SheetFailure("sheet-refused", { detail: "Excel says: “…”", cause: lacking }),
  );
  expect(sentence).toBe(
    "regdata can't do this to the workbook without Excel (Range.Insert Right). It is as it was. Open it in Excel, and do it in the pane there.",
  );
});

describe("a totals row", () => {
  it("is no jurisdiction, although its sum is the id of one: it stays as it is", async () => {
    await run(["matrix", "--where", "06001", "32003", "--question", "1056", "1003", "-o", book]);
    // The sum of the two ids is the id of a third, of Louisiana.
    await switchTotalsOn(10_243 + 11_805);
    const before = await cells();
    const asked: string[] = [];
    const { code, out } = await run(["refresh", book], {
      async intercept(request) {
        asked.push(request.url, await request.clone().text());
        return undefined;
      },
    });
    expect(await cells()).toEqual(before);
    expect([code, out]).toEqual([0, expect.stringContaining("0 values changed")]);
    expect(asked.join()).toContain("10243");
    expect(asked.join()).not.toContain("22048");
  });

  it("stays below a jurisdiction that enters, and the table's filters leave it out", async () => {
    await find();
    await switchTotalsOn(123_456_789);
    const { ref: before } = await tableOf();
    const { code, out } = await refresh();
    expect([code, out]).toEqual([10, expect.not.stringContaining("Total")]);
    const { ref, hasTotalsRow } = await tableOf();
    expect([ref.rows, hasTotalsRow]).toEqual([before.rows + 1, true]);
    const now = await cells();
    expect(now[`A${ref.rows}`]).toBe("Total");
    expect(now[`A${ref.rows - 1}`]).toBe("Clark County");
    const last = "ABCDEFGHIJ"[ref.columns - 1];
    expect(await textOf("tables/table1.xml")).toContain(`<autoFilter ref="A1:${last}${ref.rows - 1}"`);
  });
});

describe("a calculated column of the user's own", () => {
  it("goes on in a jurisdiction that enters, with its own row's cells", async () => {
    await find();
    const { ref, columnNames } = await tableOf();
    const fee = "ABCDEFGHIJ"[columnNames.findIndex((name) => name.startsWith("Minimum Permit Fee"))]!;
    const formula = (row: number, below: number) => `${fee}${row}*2+$A$${below}`;
    const column = ref.columns;
    await type(
      { row: 0, column, value: "Twice" },
      ...Array.from({ length: ref.rows - 1 }, (_, index) => ({
        ...{ row: index + 1, column, value: 40, formula: { text: formula(index + 2, ref.rows + 2) } },
      })),
      { row: ref.rows + 1, column: 0, value: 7 },
    );
    const last = "ABCDEFGHIJ"[column]!;
    await edit("tables/table1.xml", (xml) =>
      xml
        .replaceAll(/ref="A1:[A-Z]+(\d+)"/g, `ref="A1:${last}$1"`)
        .replace(/<tableColumns count="\d+">/, `<tableColumns count="${column + 1}">`)
        .replace(
          "</tableColumns>",
          `<tableColumn id="99" name="Twice"><calculatedColumnFormula>${formula(2, ref.rows + 2)}</calculatedColumnFormula></tableColumn></tableColumns>`,
        ),
    );
    expect((await refresh()).code).toBe(10);
    const now = await cells();
    expect(now[`A${ref.rows + 1}`]).toBe("Clark County");
    expect(now[`${last}${ref.rows + 1}`]).toMatch(`=${formula(ref.rows + 1, ref.rows + 3)} `);
    expect(now[`${last}${ref.rows}`]).toMatch(`=${formula(ref.rows, ref.rows + 3)} `);
    expect(await textOf("tables/table1.xml")).toContain(
      `>${formula(2, ref.rows + 3)}</calculatedColumnFormula>`,
    );
  });
});

describe("cells below a table that a jurisdiction enters", () => {
  it("move down in the table's columns, and references, names and print areas follow", async () => {
    await find();
    const { ref } = await tableOf();
    const [below, beside] = [ref.rows, ref.columns + 1];
    const noted = `A${below + 1}`;
    await type(
      { row: below, column: 0, value: "Ask the county before we apply." },
      { row: below + 1, column: 1, value: 7, formula: { text: `LEN(${noted})` } },
      { row: below, column: beside, value: "beside" },
      { row: below + 1, column: beside, value: 31, formula: { text: `LEN($A$${below + 1})` } },
    );
    const file = openWorkbookFile(await readFile(book));
    const [sheet] = file.sheets;
    const name = `'${sheet!.name}'`;
    const defined = { comment: "", hidden: false };
    file.setDefinedNames([
      ...file.definedNames.filter(({ name: own }) => own !== "_xlnm.Print_Area"),
      { ...defined, name: "Reminder", formula: `${name}!$A$${below + 1}`, sheet: null },
      { ...defined, name: "_xlnm.Print_Area", formula: `${name}!$A$1:$B$${below + 2}`, sheet: sheet!.name },
    ]);
    await writeFile(book, file.save());
    expect((await refresh()).code).toBe(10);
    expect(await tableOf()).toMatchObject({ ref: { rows: ref.rows + 1 } });
    const now = await cells();
    const at = (letter: string, row: number) => now[`${letter}${row + 1}`];
    const side = "ABCDEFGHIJ"[beside]!;
    expect(at("A", below)).toBe("Clark County");
    expect(at("A", below + 1)).toBe("Ask the county before we apply.");
    expect(at("B", below + 2)).toMatch(new RegExp(`^=LEN\\(A${below + 2}\\)`));
    expect(at(side, below)).toBe("beside");
    expect(at(side, below + 1)).toMatch(new RegExp(`^=LEN\\(\\$A\\$${below + 2}\\)`));
    const names = openWorkbookFile(await readFile(book)).definedNames;
    const formulaOf = (wanted: string) => names.find(({ name: own }) => own === wanted)?.formula;
    expect(formulaOf("Reminder")).toBe(`${name}!$A$${below + 2}`);
    expect(formulaOf("_xlnm.Print_Area")).toBe(`${name}!$A$1:$B$${below + 3}`);
  });

  it("keep rich texts, rules and notes", async () => {
    await find();
    const { ref } = await tableOf();
    const row = ref.rows + 1;
    const rich = `<is><r><rPr><b/></rPr><t>Ask</t></r><r><t xml:space="preserve"> first</t></r></is>`;
    await edit("sheet1.xml", (xml) => {
      const withCell = xml.replace(
        "</sheetData>",
        `<row r="${row}"><c r="A${row}" t="inlineStr">${rich}</c></row></sheetData>`,
      );
      const rules =
        `<conditionalFormatting sqref="A${row}:B${row}"><cfRule type="expression" priority="9"><formula>$A${row}="x"</formula></cfRule></conditionalFormatting>` +
        `<conditionalFormatting sqref="A2:A${ref.rows}"><cfRule type="duplicateValues" priority="10"/></conditionalFormatting>` +
        `<dataValidations count="1"><dataValidation type="list" sqref="B${row}"><formula1>$A$${row}:$A$${row}</formula1></dataValidation></dataValidations>`;
      const next =
        /<(?:hyperlinks|printOptions|pageMargins|pageSetup|headerFooter|drawing|legacyDrawing|tableParts)\b/;
      return withCell.replace(next, (tag) => rules + tag);
    });
    const parts = unzipSync(await readFile(book));
    const relationships = Object.keys(parts).find((name) => name.endsWith("_rels/sheet1.xml.rels"))!;
    const kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    parts[relationships] = strToU8(
      strFromU8(parts[relationships]!).replace(
        "</Relationships>",
        `<Relationship Id="rIdC" Type="${kinds}/comments" Target="../comments1.xml"/>` +
          `<Relationship Id="rIdV" Type="${kinds}/vmlDrawing" Target="../drawings/vmlDrawing1.vml"/></Relationships>`,
      ),
    );
    parts["xl/comments1.xml"] = strToU8(
      `<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author/></authors><commentList>` +
        `<comment ref="A${row}" authorId="0"><text><t>mine</t></text></comment></commentList></comments>`,
    );
    parts["xl/drawings/vmlDrawing1.vml"] = strToU8(
      `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape><x:ClientData ObjectType="Note">` +
        `<x:Anchor>1, 15, ${row - 2}, 10, 3, 15, ${row + 2}, 4</x:Anchor><x:Row>${row - 1}</x:Row><x:Column>0</x:Column></x:ClientData></v:shape></xml>`,
    );
    parts["[Content_Types].xml"] = strToU8(
      strFromU8(parts["[Content_Types].xml"]!).replace(
        "</Types>",
        `<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>` +
          `<Override PartName="/xl/comments1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"/></Types>`,
      ),
    );
    await writeFile(book, zipSync(parts));
    const { code, out, told } = await refresh();
    expect([code, told], out).toEqual([10, ""]);
    const sheet = await textOf("sheet1.xml");
    expect(sheet).toContain(`<c r="A${row + 1}" t="inlineStr">${rich}</c>`);
    expect(sheet).toContain(`sqref="A${row + 1}:B${row + 1}"`);
    expect(sheet).toContain(`<formula>$A${row + 1}="x"</formula>`);
    expect(sheet).toContain(`sqref="B${row + 1}"><formula1>$A$${row + 1}:$A$${row + 1}</formula1>`);
    // A rule for all of a column's rows is for the new row, too.
    expect(sheet).toContain(`sqref="A2:A${ref.rows + 1}"`);
    expect(await textOf("comments1.xml")).toContain(`ref="A${row + 1}"`);
    const frame = await textOf("vmlDrawing1.vml");
    expect(frame).toContain(`<x:Row>${row}</x:Row>`);
    expect(frame).toMatch(new RegExp(`<x:Anchor>1, 15,\\s?${row - 1}, 10, 3, 15,\\s?${row + 3}, 4<`));
  });

  it("stay where the sheet ends: the command says so in its own words, and leaves the file as it was", async () => {
    await find();
    await type({ row: 1_048_575, column: 0, value: "the last cell" });
    const before = await readFile(book);
    const { code, out } = await refresh();
    expect([code, out]).toEqual([
      3,
      expect.stringContaining(
        "The workbook can't be changed in this way: Cells that are not blank would be pushed off the end of the worksheet. It is as it was.",
      ),
    ]);
    expect(out).not.toMatch(/Excel|the workbench/i);
    expect(await readFile(book)).toEqual(before);
  });

  it("that are merged with cells beside it are in the way: the command says so, and leaves the file as it was", async () => {
    await find();
    const { ref } = await tableOf();
    const file = openWorkbookFile(await readFile(book));
    file.sheets[0]!.setMerged([{ row: ref.rows + 1, column: ref.columns - 1, rows: 1, columns: 2 }]);
    await writeFile(book, file.save());
    const before = await readFile(book);
    const { code, out } = await refresh();
    expect([code, out]).toEqual([3, expect.stringContaining("merged cells")]);
    expect(await readFile(book)).toEqual(before);
  });
});
