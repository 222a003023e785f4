import { config } from "../../config";
import { Failure } from "../../errors";
import { createCitations, placeCell } from "../imports/sources/sources-sheet";
import type { SelectedCell } from "../sheet/cells/selected-cell";
import { fitsSheet, type SheetTable } from "../sheet/layout/table-plan";
import { blankCell, type FormattedCell, textCell } from "../sheet/values/cell-value";
import { type AnswerLine, type ListedPrecedents, standingWords } from "./precedent-lines";
import { idCell, textOrBlank } from "../sheet/values/plain-cells";

const headers = [
  "Cell",
  "Jurisdiction",
  "AHJ ID",
  "Question",
  "Type ID",
  "Value",
  "Reference",
  "Section",
  "Updated (UTC)",
  "Retrieved (UTC)",
  "Standing",
  "More",
] as const;

type Row = Partial<Record<(typeof headers)[number], FormattedCell>>;

/**
 * The cells of which a cell is made as a table of plain values. Its first row has the cell itself with its formula; then come a row for
 * each answer with its citation, for each typed cell, and for each reference that can't be followed.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function planPrecedentsSheet(listed: ListedPrecedents): SheetTable {
  const { of, answers, typedNumbers, typedTexts, others, notFollowed, blanks, isWhole, looked } = listed;
  const cells = typedNumbers.length + typedTexts.length + others.length + notFollowed.length;
  const count = answers.length + cells + 3;
  if (!fitsSheet({ rows: count + 1, columns: headers.length })) throw new Failure("too-large");
  const mayLink = count <= config.mostLinks;
  const citationOf = createCitations(count);
  const standing = (words: string, more = ""): Row => ({
    Standing: textCell(words),
    More: textOrBlank(more),
  });
  const cellRow = ({ address, value, text }: SelectedCell, words: string, more = ""): Row => ({
    ...standing(words, more),
    Cell: placeCell(address, mayLink),
    Value: typeof value === "number" ? { value, numberFormat: "General" } : textOrBlank(text),
  });
  const answerRow = (line: AnswerLine): Row => ({
    ...citationOf(line),
    ...standing(standingWords[line.standing], line.why),
    "Type ID": line.typeId === null ? blankCell : idCell(line.typeId),
  });
  const rows: Row[] = [
    cellRow(of, "Made of the cells below", of.formula),
    ...answers.map(answerRow),
    ...typedNumbers.map((cell) => cellRow(cell, "Typed number")),
    ...typedTexts.map((cell) => cellRow(cell, "Typed text")),
    ...others.map((cell) => cellRow(cell, "Without an answer")),
    ...notFollowed.map(({ cell, text, why }) => ({
      ...standing("Can’t be followed", `${text}: ${why}`),
      Cell: placeCell(cell.address, mayLink),
    })),
    ...(blanks > 0 ? [standing("Blank cells", blanks.toLocaleString("en-US"))] : []),
    ...(isWhole
      ? []
      : [standing("Not whole", `${looked.toLocaleString("en-US")} cells were looked at. There are more.`)]),
  ];
  return {
    columns: headers.map((header) => ({ header })),
    rows: rows.map((row) => headers.map((header) => row[header] ?? blankCell)),
  };
}
