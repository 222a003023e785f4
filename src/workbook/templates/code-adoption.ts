import type { Template } from "./template-shape";
import { cellName, columnPart, createDraft, noValue } from "./sheet-draft";

const unit = "code edition";
const codes = [
  { name: "Building Code in Force", unit },
  { name: "Residential Code in Force", unit },
  { name: "Electrical Code in Force", unit },
  { name: "Energy Code in Force", unit },
  { name: "Fire Code in Force", unit },
];
const dates = [
  { name: "Code Effective Date", unit: "date" },
  { name: "Next Code Cycle Date", unit: "date" },
];

/** The editions that are counted: the newest that could be in force by now, and those of the twenty years before. */
const [newestEdition, editions] = [2027, 21];
const own = ["geoID", "State"];
const [idRow, headerRow] = [3, 4];
const firstRow = headerRow + 1;

export const codeAdoption: Template = {
  id: "code-adoption",
  name: "Code adoption by state",
  summary: "The codes that each state enforces, the year of each edition, and how many states are on which.",
  jurisdictions: "states",
  questions: [...codes, ...dates],
  plan({ jurisdictions, questions: known }) {
    const draft = createDraft();
    const asked = codes.flatMap(({ name }) => known.get(name) ?? []);
    const dated = dates.flatMap(({ name }) => known.get(name) ?? []);
    const years = own.length + asked.length;
    const days = years + asked.length;
    const counts = days + dated.length + 1;
    const columns = counts + 1 + asked.length;
    const rows = Math.max(1, jurisdictions.length);
    const lastRow = firstRow + rows - 1;

    draft.text(0, 0, "Code adoption by state");
    draft.look("title", 0, 0, 1, 1);
    draft.text(
      1,
      0,
      "“Year” is read from the published text: the four digits that begin with its first “20”. The table on the right counts the states by it.",
    );
    draft.text(idRow, 1, "Question id");
    own.forEach((header, column) => draft.text(headerRow, column, header));
    asked.forEach((type, at) => {
      draft.number(idRow, own.length + at, type.id, "0");
      draft.text(headerRow, own.length + at, type.name);
      draft.text(headerRow, years + at, `Year of the ${type.name.replace(/ in Force$/, "")}`);
    });
    dated.forEach((type, at) => {
      draft.number(idRow, days + at, type.id, "0");
      draft.text(headerRow, days + at, type.name);
    });
    draft.look("heading", headerRow, 0, 1, counts - 1);
    for (let index = 0; index < rows; index += 1) {
      const row = firstRow + index;
      const name = jurisdictions[index]?.name ?? "";
      const geoid = { cell: cellName(row, 0, { column: true }), holds: name };
      if (name === "") draft.blank(row, 0, "@");
      else draft.text(row, 0, name);
      draft.ahj(row, 1, geoid);
      const ask = (column: number, typeId: number) =>
        draft.answer(row, column, geoid, { cell: cellName(idRow, column, { row: true }), holds: typeId });
      asked.forEach(({ id }, at) => {
        ask(own.length + at, id);
        const text = cellName(row, own.length + at);
        const year = `VALUE(MID(${text},SEARCH("20",${text}),4))`;
        draft.formula(row, years + at, `=IFERROR(IF(${year}>=2000,${year},""),"")`, "0");
      });
      dated.forEach(({ id }, at) => ask(days + at, id));
    }

    draft.text(headerRow, counts, "Edition of");
    asked.forEach(({ name }, at) => draft.text(headerRow, counts + 1 + at, name));
    draft.look("heading", headerRow, counts, 1, 1 + asked.length);
    for (let index = 0; index < editions; index += 1) {
      const row = firstRow + index;
      draft.number(row, counts, newestEdition - index, "0");
      const year = cellName(row, counts, { column: true });
      asked.forEach((_, at) =>
        draft.formula(
          row,
          counts + 1 + at,
          `=COUNTIF(${columnPart(years + at, firstRow, lastRow)},${year})`,
          "0;;",
        ),
      );
    }
    const restRow = firstRow + editions;
    draft.text(restRow, counts, "Another year, or none");
    draft.text(restRow + 1, counts, noValue);
    draft.text(restRow + 2, counts, "States");
    asked.forEach((_, at) => {
      const column = counts + 1 + at;
      const counted = `${cellName(firstRow, column)}:${cellName(restRow - 1, column)}`;
      const [missing, all] = [cellName(restRow + 1, column), cellName(restRow + 2, column)];
      const texts = columnPart(own.length + at, firstRow, lastRow);
      draft.formula(restRow, column, `=${all}-${missing}-SUM(${counted})`, "0");
      draft.formula(restRow + 1, column, `=COUNTIF(${texts},"${noValue}")`, "0");
      draft.formula(restRow + 2, column, `=COUNTIF(${texts},"?*")`, "0");
    });
    draft.look("total", restRow + 2, counts, 1, 1 + asked.length);
    draft.look("wrapped", firstRow, 0, rows, counts - 1);
    const lastOfAll = Math.max(lastRow, restRow + 2);
    return {
      name: "Code adoption by state",
      cells: draft.cells,
      looks: draft.looks,
      columnWidths: Array.from({ length: columns }, (_, column) => {
        if (column < own.length) return [45, 120][column] ?? 90;
        if (column < years) return 135;
        if (column < days) return 70;
        return column === counts - 1 ? 20 : column === counts ? 115 : 80;
      }),
      frozen: { rows: firstRow, columns: own.length },
      table: null,
      print: {
        area: { row: 0, column: 0, rows: lastOfAll + 1, columns },
        orientation: "Landscape",
        isOnePage: false,
        titleRows: { first: headerRow, last: headerRow },
      },
    };
  },
};
