import type { Template } from "./template-shape";
import { answerFormat, cellName, createDraft, isoDate } from "./sheet-draft";

const reviewTime = { name: "Residential Permit Review Time", unit: "days" };
const questions = [
  reviewTime,
  { name: "Residential Solar Permit Fee", unit: "USD" },
  { name: "Electrical Code in Force", unit: "code edition" },
  { name: "Permit Validity Period", unit: "days" },
  { name: "Online Application Accepted", unit: "boolean" },
];

/** Rows with formulas below those of the jurisdictions, ready for new projects. */
const spareRows = 20;
const [titleRow, noteRow, idRow, headerRow] = [0, 1, 3, 4];
const firstRow = headerRow + 1;

export const projectTracker: Template = {
  id: "project-tracker",
  name: "Project tracker",
  summary:
    "A row for each project: permit fee, review time and code of its place, and when to expect the permit.",
  jurisdictions: "many",
  questions,
  plan({ jurisdictions, questions: known }) {
    const draft = createDraft();
    const asked = questions.flatMap(({ name }) => known.get(name) ?? []);
    const own = ["Project", "Address", "City", "State", "Place", "Jurisdiction"];
    const [cityColumn, stateColumn, placeColumn, jurisdictionColumn] = [2, 3, 4, 5];
    const review = known.get(reviewTime.name);
    const reviewColumn = review ? own.length + asked.indexOf(review) : null;
    const statusColumn = own.length + asked.length;
    const submittedColumn = statusColumn + 1;
    const expectedColumn = statusColumn + 2;
    const notesColumn = statusColumn + 3;
    const columns = notesColumn + 1;
    const rows = jurisdictions.length + spareRows;
    draft.text(titleRow, 0, "Project tracker");
    draft.text(
      noteRow,
      0,
      "Enter each project’s city and state, or under Place a name such as Alameda County, CA or a geoID. “Expected by” is the day of submission and the review time, where that is a number of days.",
    );
    draft.look("title", titleRow, 0, 1, 1);
    draft.text(idRow, own.length - 1, "Question id");
    const headers = [
      ...own,
      ...asked.map(({ name }) => name),
      ...["Status", "Submitted on", "Expected by", "Notes"],
    ];
    headers.forEach((header, column) => draft.text(headerRow, column, header));
    asked.forEach(({ id }, index) => draft.number(idRow, own.length + index, id, "0"));
    draft.look("tableHeader", headerRow, 0, 1, columns);
    for (let index = 0; index < rows; index += 1) {
      const row = firstRow + index;
      const name = jurisdictions[index]?.name ?? "";
      const geoid = { cell: cellName(row, placeColumn, { column: true }), holds: name };
      for (const column of [0, 1, cityColumn, stateColumn, statusColumn, notesColumn])
        draft.blank(row, column, "@");
      if (name === "") {
        const [city, state] = [cityColumn, stateColumn].map((column) =>
          cellName(row, column, { column: true }),
        );
        draft.formula(row, placeColumn, `=IF(OR(${city}="",${state}=""),"",${city}&", "&${state})`);
      } else {
        draft.place(row, placeColumn, name);
      }
      draft.ahj(row, jurisdictionColumn, geoid);
      asked.forEach((type, at) => {
        const column = own.length + at;
        const asks = { cell: cellName(idRow, column, { row: true }), holds: type.id };
        const numberFormat = answerFormat(type.unit_of_measure);
        draft.answer(row, column, geoid, asks, { numberFormat });
      });
      draft.blank(row, submittedColumn, isoDate);
      if (reviewColumn === null) {
        draft.blank(row, expectedColumn, isoDate);
        continue;
      }
      const submitted = cellName(row, submittedColumn, { column: true });
      const days = cellName(row, reviewColumn, { column: true });
      draft.formula(
        row,
        expectedColumn,
        `=IF(AND(ISNUMBER(${submitted}),ISNUMBER(${days})),${submitted}+${days},"")`,
        isoDate,
      );
    }
    draft.look("input", firstRow, 0, rows, jurisdictionColumn);
    draft.look("input", firstRow, statusColumn, rows, 2);
    draft.look("input", firstRow, notesColumn, rows, 1);
    const area = { row: headerRow, column: 0, rows: rows + 1, columns };
    return {
      name: "Project tracker",
      cells: draft.cells,
      looks: draft.looks,
      columnWidths: headers.map((header) => widths[header] ?? 110),
      frozen: { rows: firstRow, columns: 1 },
      table: area,
      print: {
        area: { ...area, row: 0, rows: firstRow + rows },
        orientation: "Landscape",
        isOnePage: false,
        titleRows: { first: headerRow, last: headerRow },
      },
    };
  },
};

/** The widths of columns in points, by header. In the other columns a question’s name takes two lines. */
const widths: Record<string, number> = {
  Project: 130,
  Address: 160,
  City: 100,
  State: 60,
  Place: 140,
  Jurisdiction: 140,
  Notes: 180,
};
