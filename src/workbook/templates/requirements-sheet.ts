import type { Template, TemplateQuestion } from "./template-shape";
import { cellName, createDraft, isoDate, noValue } from "./sheet-draft";

const sections: { title: string; questions: TemplateQuestion[] }[] = [
  {
    title: "Codes in force",
    questions: [
      { name: "Building Code in Force", unit: "code edition" },
      { name: "Residential Code in Force", unit: "code edition" },
      { name: "Electrical Code in Force", unit: "code edition" },
      { name: "Fire Code in Force", unit: "code edition" },
    ],
  },
  {
    title: "Permit",
    questions: [
      { name: "Building Permit Required for Rooftop Solar", unit: "boolean" },
      { name: "Electrical Permit Required for Rooftop Solar", unit: "boolean" },
      { name: "Online Application Accepted", unit: "boolean" },
      { name: "Permit Portal Address", unit: "url" },
      { name: "Residential Permit Review Time", unit: "days" },
      { name: "Residential Solar Permit Fee", unit: "USD" },
      { name: "Permit Validity Period", unit: "days" },
    ],
  },
  {
    title: "Plans",
    questions: [
      { name: "Structural Letter Required", unit: "boolean" },
      { name: "Digital Stamp Accepted", unit: "boolean" },
      { name: "Single-Line Diagram Required", unit: "boolean" },
    ],
  },
  {
    title: "Structure and roof",
    questions: [
      { name: "Design Wind Speed", unit: "mph" },
      { name: "Ground Snow Load", unit: "psf" },
      { name: "Ridge Setback", unit: "inches" },
      { name: "Eave Pathway Width", unit: "inches" },
    ],
  },
  {
    title: "Electrical",
    questions: [
      { name: "Rapid Shutdown Standard", unit: "text" },
      { name: "AC Disconnect Required by Jurisdiction", unit: "boolean" },
    ],
  },
  {
    title: "Inspection",
    questions: [
      { name: "Number of Inspections, Residential", unit: "count" },
      { name: "Inspection Request Method", unit: "text" },
    ],
  },
  {
    title: "Contact",
    questions: [
      { name: "Building Department Telephone", unit: "text" },
      { name: "Building Department E-mail", unit: "text" },
    ],
  },
];

const [questionColumn, answerColumn, unitColumn, citationColumn, dayColumn, idColumn, dateColumn] = [
  0, 1, 2, 3, 4, 6, 7,
];
const [geoidRow, nameRow, printedRow, headerRow] = [1, 2, 3, 5];
const geoidCell = "$B$2";
/** Units that would say nothing beside an answer, so they are not shown. */
const wordless = new Set(["text", "boolean", "url", "code edition"]);

export const requirementsSheet: Template = {
  id: "requirements",
  name: "Requirements sheet",
  summary: "All that a designer needs of one place on one page, with citations and dates, ready to print.",
  jurisdictions: "one",
  questions: sections.flatMap(({ questions }) => questions),
  plan({ jurisdictions: [jurisdiction], questions: known }) {
    const draft = createDraft();
    const geoid = { cell: geoidCell, holds: jurisdiction?.name ?? "" };
    draft.text(0, 0, "Requirements for solar permits");
    draft.look("title", 0, 0, 1, 1);
    draft.text(geoidRow, 0, "Place, such as Alameda County, CA or 06001");
    draft.place(geoidRow, 1, geoid.holds);
    draft.look("input", geoidRow, 1, 1, 1);
    draft.text(nameRow, 0, "Jurisdiction");
    draft.ahj(nameRow, 1, geoid);
    draft.text(nameRow, 2, "State");
    draft.ahj(nameRow, 3, geoid, "state_code");
    draft.text(printedRow, 0, "Date");
    draft.formula(printedRow, 1, "=TODAY()", isoDate);
    draft.text(
      geoidRow,
      idColumn,
      "Not printed. For another place, copy this sheet and change its geoID in B2.",
    );
    ["Question", "Answer as published", "Unit", "Citation", "Last updated"].forEach((text, column) =>
      draft.text(headerRow, column, text),
    );
    draft.text(headerRow, idColumn, "Question id");
    draft.text(headerRow, dateColumn, "Updated, as sent");
    draft.look("heading", headerRow, 0, 1, dayColumn + 1);
    draft.look("heading", headerRow, idColumn, 1, 2);
    let row = headerRow + 1;
    for (const { title, questions } of sections) {
      const asked = questions.flatMap(({ name }) => known.get(name) ?? []);
      if (asked.length === 0) continue;
      draft.text(row, 0, title);
      draft.look("total", row, 0, 1, dayColumn + 1);
      row += 1;
      for (const type of asked) {
        const asks = { cell: cellName(row, idColumn, { column: true }), holds: type.id };
        const sent = cellName(row, dateColumn, { column: true });
        draft.text(row, questionColumn, type.name);
        draft.answer(row, answerColumn, geoid, asks, { field: "text", ifMissing: noValue });
        draft.text(row, unitColumn, wordless.has(type.unit_of_measure) ? "" : type.unit_of_measure);
        draft.answer(row, citationColumn, geoid, asks, { field: "citation", ifMissing: "" });
        draft.formula(row, dayColumn, `=IF(ISNUMBER(${sent}),INT(${sent}),LEFT(${sent},10))`, isoDate);
        draft.number(row, idColumn, type.id, "0");
        draft.answer(row, dateColumn, geoid, asks, {
          field: "updated_at",
          ifMissing: "",
          numberFormat: isoDate,
        });
        row += 1;
      }
    }
    draft.look("wrapped", headerRow + 1, 0, row - headerRow - 1, dayColumn + 1);
    return {
      name: "Requirements sheet",
      cells: draft.cells,
      looks: draft.looks,
      columnWidths: [190, 165, 65, 190, 70, 15, 70, 130],
      frozen: { rows: headerRow + 1, columns: 0 },
      table: null,
      print: {
        area: { row: 0, column: 0, rows: row, columns: dayColumn + 1 },
        orientation: "Portrait",
        isOnePage: true,
        titleRows: null,
      },
    };
  },
};
