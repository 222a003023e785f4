import type { Template } from "./template-shape";
import { answerFormat, cellName, columnPart, createDraft } from "./sheet-draft";

/** `better` says which answer is the better one: the lower number, the higher number, or a yes. */
const questions = [
  { name: "Residential Permit Review Time", unit: "days", better: "lower" },
  { name: "Residential Solar Permit Fee", unit: "USD", better: "lower" },
  { name: "Plan Review Fee", unit: "USD", better: "lower" },
  { name: "Permit Validity Period", unit: "days", better: "higher" },
  { name: "Online Application Accepted", unit: "boolean", better: "yes" },
  { name: "Same-Day Permit Available", unit: "boolean", better: "yes" },
];

const spareRows = 5;
/** A median of fewer numbers would say little about a state. */
const fewestNumbers = 3;
const own = ["geoID", "Jurisdiction", "State"];
const [betterRow, weightRow, neededRow, idRow, knownRow, blockRow, headerRow] = [3, 4, 5, 6, 7, 9, 10];
const firstRow = headerRow + 1;

export const expansionScorecard: Template = {
  id: "scorecard",
  name: "Expansion scorecard",
  summary:
    "Places side by side, each answer held against the median of its state, with weights of your own, a score and a rank.",
  jurisdictions: "many",
  questions,
  plan({ jurisdictions, questions: known }) {
    const draft = createDraft();
    const asked = questions.flatMap(({ name, better }) => {
      const type = known.get(name);
      return type ? [{ type, better }] : [];
    });
    const rows = jurisdictions.length + spareRows;
    const lastRow = firstRow + rows - 1;
    const answers = own.length;
    const medians = answers + asked.length;
    const points = medians + asked.length;
    const score = points + asked.length;
    const columns = score + 3;
    const states = columnPart(2, firstRow, lastRow).replaceAll(/(?=[A-Z])/g, "$");

    draft.text(0, 0, "Expansion scorecard");
    draft.look("title", 0, 0, 1, 1);
    draft.text(1, 0, "A point for an answer as good as the median of its state, or better; or for a yes.");
    draft.text(
      2,
      0,
      `A median is over the places listed here, and needs ${fewestNumbers} numbers of a state: list a whole state for its own.`,
    );
    draft.text(betterRow, 1, "Better is");
    draft.text(weightRow, 1, "Weight");
    draft.text(neededRow, 1, "Points for a score");
    draft.number(neededRow, answers, Math.ceil(asked.length / 2), "0");
    draft.look("input", neededRow, answers, 1, 1);
    draft.text(idRow, 1, "Question id");
    draft.text(knownRow, 1, "Places with a point");
    draft.text(blockRow, answers, "Answers");
    draft.text(blockRow, medians, "Median of the state");
    draft.text(blockRow, points, "Points");
    draft.look("title", blockRow, 0, 1, columns);
    own.forEach((header, column) => draft.text(headerRow, column, header));
    ["Score", "Points known", "Rank"].forEach((header, at) => draft.text(headerRow, score + at, header));
    asked.forEach(({ type, better }, at) => {
      for (const block of [answers, medians, points]) draft.text(headerRow, block + at, type.name);
      draft.text(betterRow, answers + at, better);
      draft.number(weightRow, answers + at, 1);
      draft.number(idRow, answers + at, type.id, "0");
      const given = columnPart(points + at, firstRow, lastRow);
      draft.formula(knownRow, answers + at, `=COUNT(${given})`, "0");
    });
    draft.look("heading", headerRow, 0, 1, columns);
    draft.look("input", betterRow, answers, 2, asked.length);

    for (let index = 0; index < rows; index += 1) {
      const row = firstRow + index;
      const name = jurisdictions[index]?.name ?? "";
      const geoid = { cell: cellName(row, 0, { column: true }), holds: name };
      draft.place(row, 0, name);
      draft.ahj(row, 1, geoid);
      draft.ahj(row, 2, geoid, "state_code");
      asked.forEach(({ type }, at) => {
        const numberFormat = answerFormat(type.unit_of_measure);
        const asks = { cell: cellName(idRow, answers + at, { row: true }), holds: type.id };
        draft.answer(row, answers + at, geoid, asks, { numberFormat });
        const answer = cellName(row, answers + at);
        const median = cellName(row, medians + at);
        const better = cellName(betterRow, answers + at, { row: true });
        const all = columnPart(answers + at, firstRow, lastRow);
        const state = cellName(row, 2, { column: true });
        draft.formula(
          row,
          medians + at,
          `=IF(OR(${state}="",COUNTIFS(${states},${state},${all},">-1E+300")<${fewestNumbers}),"",AGGREGATE(17,6,${all}/((${states}=${state})*ISNUMBER(${all})),2))`,
          numberFormat,
        );
        const compared = `IF(${better}="lower",IF(${answer}<=${median},1,0),IF(${answer}>=${median},1,0))`;
        draft.formula(
          row,
          points + at,
          `=IF(${better}="yes",IF(ISLOGICAL(${answer}),IF(${answer},1,0),""),IF(AND(ISNUMBER(${answer}),ISNUMBER(${median})),${compared},""))`,
          "0",
        );
      });
      const kept = { column: true };
      const given = `${cellName(row, points, kept)}:${cellName(row, score - 1, kept)}`;
      const weights = `${cellName(weightRow, answers, { column: true, row: true })}:${cellName(weightRow, medians - 1, { column: true, row: true })}`;
      const counted = `SUMPRODUCT(ISNUMBER(${given})*${weights})`;
      const needed = cellName(neededRow, answers, { column: true, row: true });
      draft.formula(
        row,
        score,
        `=IF(OR(COUNT(${given})<${needed},${counted}=0),"",SUMPRODUCT(${weights},${given})/${counted})`,
        "0%",
      );
      draft.formula(
        row,
        score + 1,
        `=IF(${cellName(row, 2)}="","",COUNT(${given}))`,
        `0" of ${asked.length}"`,
      );
      const own = cellName(row, score);
      draft.formula(
        row,
        score + 2,
        `=IF(ISNUMBER(${own}),RANK(${own},${columnPart(score, firstRow, lastRow)}),"")`,
        "0",
      );
    }
    draft.look("input", firstRow, 0, rows, 1);
    return {
      name: "Expansion scorecard",
      cells: draft.cells,
      looks: draft.looks,
      columnWidths: Array.from({ length: columns }, (_, column) => [75, 150][column] ?? 85),
      frozen: { rows: firstRow, columns: 2 },
      table: null,
      print: {
        area: { row: 0, column: 0, rows: firstRow + rows, columns },
        orientation: "Landscape",
        isOnePage: false,
        titleRows: { first: blockRow, last: headerRow },
      },
    };
  },
};
