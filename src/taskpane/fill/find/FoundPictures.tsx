import { makeStyles, tokens } from "@fluentui/react-components";
import { useCallback, useMemo } from "react";
import { leavesBlank } from "../../../engine/absence";
import { absentOf, type AnswerColumn } from "../../../find/answer-column";
import type { PicturedAnswer } from "../../../pictures/pictured-answers";
import { questionPicture } from "../../../pictures/question-picture";
import { importCell } from "../../../workbook/sheet/values/cell-value";
import { QuestionPictures } from "../../pictures/QuestionPictures";
import type { FindResult } from "./find-control";

const useStyles = makeStyles({
  list: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalL, margin: 0, padding: 0 },
  item: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXXS, listStyleType: "none" },
});

/** Pictures of the found jurisdictions' answers, question by question. */
export default function FoundPictures({
  result,
  columns,
}: {
  result: FindResult;
  columns: ReadonlyMap<number, AnswerColumn>;
}) {
  const styles = useStyles();
  const asked = new Set(result.find.conditions.map(({ type }) => type.id));
  return (
    <ul className={styles.list} role="list" aria-label="Answers of those found">
      {[...asked].map((typeId) => {
        const column = columns.get(typeId);
        return (
          column && (
            <li key={typeId} className={styles.item}>
              <Question result={result} column={column} />
            </li>
          )
        );
      })}
    </ul>
  );
}

function Question({ result, column }: { result: FindResult; column: AnswerColumn }) {
  const answers = useCallback(() => answersOfFound(result, column), [result, column]);
  const picture = useMemo(() => questionPicture(column.type, answers()), [column, answers]);
  return <QuestionPictures picture={picture} answers={answers} selected={null} />;
}

function answersOfFound({ ahjs, heaps }: FindResult, { codes, texts, type }: AnswerColumn): PicturedAnswer[] {
  return heaps.placesIn("yes").flatMap((place): PicturedAnswer[] => {
    const ahj = ahjs[place];
    const code = codes[place] ?? 0;
    const text = texts[code];
    if (!ahj) return [];
    if (text === undefined) return [{ ahj, shown: leavesBlank(absentOf(code)) ? "no value" : "not known" }];
    const { value, numberFormat } = importCell(text, type.unit_of_measure);
    return [{ ahj, shown: { value, numberFormat } }];
  });
}
