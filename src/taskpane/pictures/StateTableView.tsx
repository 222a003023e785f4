import { makeStyles, mergeClasses } from "@fluentui/react-components";
import { useMemo } from "react";
import { type StateRow, stateTable } from "../../pictures/by-state";
import type { PicturedAnswer, PicturedQuestion } from "../../pictures/pictured-answers";
import { beginning, shownName } from "../ui/labels";
import { AmountBar } from "./AmountBar";
import { useTableStyles } from "./table-styles";

const useStyles = makeStyles({
  counts: { "& td:last-child, & th:last-child": { textAlign: "right", paddingRight: 0 } },
  typical: { width: "36%" },
  share: { width: "24%" },
});

const mostCharacters = 60;

/** A row for each state: the median or most frequent value of its jurisdictions, the share with a value, and their number. */
export default function StateTableView({
  question,
  answers,
}: {
  question: PicturedQuestion;
  answers: () => readonly PicturedAnswer[];
}) {
  const styles = useStyles();
  const { table } = useTableStyles();
  const { of, rows } = useMemo(() => stateTable(question, answers()), [question, answers]);
  return (
    <table className={mergeClasses(table, styles.counts)} aria-label={`${question.name} by state`}>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col" className={styles.typical}>
            {of === "kinds" ? "Commonest" : rows.every(isOfMedian) ? "Median" : "Median, or commonest"}
          </th>
          <th scope="col" className={styles.share}>
            With a value
          </th>
          <th scope="col">Count</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ state, jurisdictions, share, median, commonest }) => (
          <tr key={state}>
            <th scope="row">{state === "" ? "None" : shownName(state)}</th>
            <td>
              {shownName(beginning((median ?? commonest)?.text ?? "", mostCharacters))}
              {/* All bars of a table show the same kind of number, so that they can be compared. */}
              {median && <AmountBar share={median.length} />}
              {commonest && of === "kinds" && <AmountBar share={commonest.share} />}
            </td>
            <td>
              {Math.round(share * 100)}%
              <AmountBar share={share} />
            </td>
            <td>{jurisdictions.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isOfMedian({ median, values }: StateRow): boolean {
  return median !== null || values === 0;
}
