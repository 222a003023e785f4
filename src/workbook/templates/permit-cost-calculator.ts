import type { Template } from "./template-shape";
import { answerFormat, cellName, createDraft, noValue, type SheetDraft } from "./sheet-draft";

const basis = { name: "Residential Permit Fee Basis", unit: "text" };
const baseFee = { name: "Residential Solar Permit Fee", unit: "USD" };
const perKilowatt = { name: "Fee per Kilowatt Above Base", unit: "USD per kW" };
const baseSize = { name: "Base Size Included in Fee", unit: "kW" };
const valuationRate = { name: "Valuation Fee Rate", unit: "percent" };
const minimumFee = { name: "Minimum Permit Fee", unit: "USD" };
const maximumFee = { name: "Maximum Solar Permit Fee", unit: "USD" };
const planReview = { name: "Plan Review Fee", unit: "USD" };
const planReviewShare = { name: "Plan Review Fee as Share of Permit Fee", unit: "percent" };
const electrical = { name: "Electrical Permit Fee", unit: "USD" };
const reinspection = { name: "Re-Inspection Fee", unit: "USD" };

/** The columns of the calculator's lines. */
const [questionColumn, idColumn, publishedColumn, amountColumn, timesColumn, costColumn, howColumn] = [
  0, 1, 2, 3, 4, 5, 6,
];
const [geoidRow, sizeRow, valuationRow, reinspectionsRow] = [3, 5, 6, 7];
const firstLine = 10;
const input = (row: number) => `$B$${row + 1}`;

export const permitCostCalculator: Template = {
  id: "permit-cost",
  name: "Permit cost calculator",
  summary:
    "The permit fees of one place, line by line, for a system of your size. You can see every formula.",
  jurisdictions: "one",
  questions: [
    ...[basis, baseFee, perKilowatt, baseSize, valuationRate, minimumFee, maximumFee],
    ...[planReview, planReviewShare, electrical, reinspection],
  ],
  plan({ jurisdictions: [jurisdiction], questions }) {
    const draft = createDraft();
    const geoid = { cell: input(geoidRow), holds: jurisdiction?.name ?? "" };
    head(draft, geoid);
    let row = firstLine;
    /** The row of each question in the sheet, by the question's name. */
    const rows = new Map<string, number>();
    const amountOf = ({ name }: { name: string }) => {
      const at = rows.get(name);
      return at === undefined ? null : cellName(at, amountColumn, { column: true });
    };
    /** Writes a line with the published answer. Its cost is the amount multiplied by `times`; null makes it a line without a cost. */
    function line(question: { name: string }, how: string, times: string | null) {
      const type = questions.get(question.name);
      if (!type) return;
      rows.set(question.name, row);
      const asks = { cell: cellName(row, idColumn, { column: true }), holds: type.id };
      draft.text(row, questionColumn, type.name);
      draft.number(row, idColumn, type.id, "0");
      draft.answer(row, publishedColumn, geoid, asks, { field: "text" });
      draft.answer(row, amountColumn, geoid, asks, {
        numberFormat: answerFormat(type.unit_of_measure),
      });
      draft.text(row, howColumn, how);
      if (times !== null) {
        const [amount, count] = [amountColumn, timesColumn].map((column) => cellName(row, column));
        draft.formula(row, timesColumn, `=${times}`);
        draft.formula(row, costColumn, `=IF(ISNUMBER(${amount}),${amount}*${count},0)`, answerFormat("USD"));
      }
      row += 1;
    }
    const cost = (from: number, to: number) =>
      `${cellName(from, costColumn)}:${cellName(to - 1, costColumn)}`;

    line(basis, "Set “Times” to 0 for a line that does not apply.", null);
    line(baseSize, "Included in the base fee.", null);
    const permitFrom = row;
    line(baseFee, "Once.", "1");
    const included = amountOf(baseSize);
    line(
      perKilowatt,
      "For each kilowatt above the included size; 0 if that is not known.",
      included === null ? "0" : `IF(ISNUMBER(${included}),MAX(0,${input(sizeRow)}-${included}),0)`,
    );
    const basisCell = rows.has(basis.name)
      ? cellName(rows.get(basis.name) ?? 0, publishedColumn, { column: true })
      : null;
    line(
      valuationRate,
      "Of the valuation, where the fee depends on the valuation.",
      basisCell === null ? "0" : `IF(ISNUMBER(SEARCH("valuation",${basisCell})),${input(valuationRow)},0)`,
    );
    const permitTo = row;
    line(minimumFee, "The permit fee is at least this.", null);
    line(maximumFee, "The permit fee is at most this.", null);

    const sumRow = row;
    total(
      draft,
      sumRow,
      "Permit fee before limits",
      permitTo > permitFrom ? `SUM(${cost(permitFrom, permitTo)})` : "0",
    );
    const sum = cellName(sumRow, costColumn);
    const [minimum, maximum] = [amountOf(minimumFee), amountOf(maximumFee)];
    const raised = minimum === null ? sum : `MAX(${sum},IF(ISNUMBER(${minimum}),${minimum},0))`;
    const permitRow = sumRow + 1;
    total(
      draft,
      permitRow,
      "Permit fee within its limits",
      maximum === null ? raised : `IF(ISNUMBER(${maximum}),MIN(${raised},${maximum}),${raised})`,
    );
    row = permitRow + 1;
    const othersFrom = row;
    line(planReview, "Once.", "1");
    line(
      planReviewShare,
      "Of the permit fee, where no plan review fee is an amount.",
      planReviewTimes(amountOf(planReview), cellName(permitRow, costColumn)),
    );
    line(electrical, "Once.", "1");
    line(reinspection, "For each re-inspection.", input(reinspectionsRow));
    const othersTo = row;
    const permit = cellName(permitRow, costColumn);
    total(
      draft,
      row,
      "Total",
      othersTo > othersFrom ? `${permit}+SUM(${cost(othersFrom, othersTo)})` : permit,
    );
    const totalRow = row;
    row += 1;
    const amounts = `${cellName(permitFrom, amountColumn)}:${cellName(othersTo - 1, amountColumn)}`;
    draft.text(row, questionColumn, "Answers that are no amount");
    draft.formula(row, costColumn, `=COUNTIF(${amounts},"?*")-COUNTIF(${amounts},"${noValue}")`, "0");
    draft.text(row, howColumn, "Each counts as 0. Enter its cost yourself, as published.");
    row += 1;
    draft.text(row, questionColumn, "Without a recorded value");
    draft.formula(row, costColumn, `=COUNTIF(${amounts},"${noValue}")`, "0");
    draft.text(row, howColumn, "Each counts as 0. No value is not “no fee”.");

    draft.look("wrapped", firstLine, questionColumn, row - firstLine + 1, howColumn + 1);
    draft.look("total", totalRow, questionColumn, 1, howColumn + 1);
    return {
      name: "Permit cost calculator",
      cells: draft.cells,
      looks: draft.looks,
      columnWidths: [200, 95, 180, 110, 60, 85, 330],
      frozen: { rows: firstLine, columns: 0 },
      table: null,
      print: {
        area: { row: 0, column: 0, rows: row + 1, columns: howColumn + 1 },
        orientation: "Landscape",
        isOnePage: true,
        titleRows: null,
      },
    };
  },
};

function planReviewTimes(fee: string | null, permitFee: string): string {
  return fee === null ? permitFee : `IF(ISNUMBER(${fee}),0,${permitFee})`;
}

function head(draft: SheetDraft, geoid: { cell: string; holds: string }): void {
  draft.text(0, 0, "Permit cost calculator");
  draft.look("title", 0, 0, 1, 1);
  draft.text(
    1,
    0,
    "Fill in the shaded cells. An answer that is no single amount counts as 0 and is counted below the total.",
  );
  draft.text(geoidRow, 0, "Place, such as Alameda County, CA or 06001");
  draft.place(geoidRow, 1, geoid.holds);
  draft.text(geoidRow + 1, 0, "Jurisdiction");
  draft.ahj(geoidRow + 1, 1, geoid);
  draft.text(sizeRow, 0, "System size in kW");
  draft.number(sizeRow, 1, 8);
  draft.text(valuationRow, 0, "Valuation of the project in USD");
  draft.number(valuationRow, 1, 24_000, "#,##0");
  draft.text(reinspectionsRow, 0, "Re-inspections");
  draft.number(reinspectionsRow, 1, 0);
  draft.look("input", geoidRow, 1, 1, 1);
  draft.look("input", sizeRow, 1, 3, 1);
  ["Question", "Question id", "As published", "Amount", "Times", "Cost", "How it is reckoned"].forEach(
    (text, column) => draft.text(firstLine - 1, column, text),
  );
  draft.look("heading", firstLine - 1, 0, 1, howColumn + 1);
}

function total(draft: SheetDraft, row: number, label: string, formula: string): void {
  draft.text(row, questionColumn, label);
  draft.formula(row, costColumn, `=${formula}`, answerFormat("USD"));
  draft.look("total", row, questionColumn, 1, howColumn + 1);
}
