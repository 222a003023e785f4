import type { Answer } from "../../api/client";
import { readEnvelope, type Refusal } from "../../api/read-answer";
import { endpoints } from "../../api/endpoints";
import type { Ahj, DataPointType, MatrixCellSent } from "../../api/schemas";
import { absentAnswers, type CachedAnswer } from "../../cache/cached-answer";
import { type FilledPart, fillParts } from "../../cache/answer-part";
import { decodedText } from "../../transport/decoded-text";
import type { Rectangle } from "./request-plan";

/** One request's answers for a whole rectangle. */
export interface AnsweredRectangle {
  filled: FilledPart[];
  /** AHJs with a cell for which the request gave neither a value nor the reason for having none. */
  undecided: ReadonlySet<number>;
}

export interface ReadMatrix extends AnsweredRectangle {
  ahjs: Ahj[];
  types: DataPointType[];
  /** The number of pages of the answer. If there are several, only a part has come. */
  pages: number;
}

/** Reads the body of a matrix's answer. Never fails. */
export async function readMatrix(
  body: ArrayBuffer,
  rectangle: Rectangle,
  atMs: number,
  charset: string | null = null,
): Promise<ReadMatrix | Refusal> {
  const asked = { ahj_ids: rectangle.ahjIds, data_point_type_ids: rectangle.typeIds };
  const { matrix } = endpoints;
  const read = await readEnvelope(matrix.answer, decodedText(body, charset) ?? "", (data, warnings) =>
    matrix.isAnswerTo(asked, data, warnings),
  );
  if (!("data" in read)) return read;
  const { ahjs, data_point_types: types, pagination } = read.data;
  const answered = await fillRectangle(rectangle, answersOfMatrix({ ...read, atMs }));
  return { ahjs, types, pages: pagination?.total_pages ?? 1, ...answered };
}

/** Puts the answer to each cell into columns. */
export async function fillRectangle(
  { ahjIds, typeIds }: Rectangle,
  answerOf: AnswerOf,
): Promise<AnsweredRectangle> {
  const undecided = new Set<number>();
  const filled = await fillParts(ahjIds, typeIds.length, (ahjId, part) => {
    for (const typeId of typeIds) {
      const answer = answerOf(ahjId, typeId);
      if (answer) part.push(typeId, answer);
      else undecided.add(ahjId);
    }
  });
  return { filled, undecided };
}

/** Gives one request's answer to a cell; undefined if the request left the cell open. */
export type AnswerOf = (ahjId: number, typeId: number) => CachedAnswer | undefined;

/** Finds the cells of a matrix by id and never by position, because it has no fixed order (docs/interface.md, "Left open"). */
export function answersOfMatrix({ data: report, warnings, atMs }: Answer<"matrix">): AnswerOf {
  const absent = absentAnswers(atMs);
  const types = new Set(report.data_point_types.map((type) => type.id));
  const rows = new Map(report.rows.map((row) => [row.ahj.id, row.values]));
  const excluded = new Set(warnings.flatMap((warning) => warning.excluded_ahj_ids));
  const someDenied = warnings.some((warning) => warning.code === "AHJ_ACCESS_DENIED");
  return (ahjId, typeId) => {
    const values = rows.get(ahjId);
    if (!values) {
      const isDenied = excluded.has(ahjId) || (excluded.size === 0 && someDenied);
      return absent[isDenied ? "outside-subscription" : "unknown-jurisdiction"];
    }
    if (!types.has(typeId)) return absent["unknown-type"];
    return valueOf(values[typeId], atMs) ?? absent["no-value"];
  };
}

function valueOf(cell: MatrixCellSent | null | undefined, fetchedAtMs: number): CachedAnswer | undefined {
  // An empty text is no value either (docs/interface.md, "Left open").
  if (!cell?.value) return undefined;
  const { value, reference = null, section = null } = cell;
  return { fetchedAtMs, value, reference, section, updatedAt: null };
}
