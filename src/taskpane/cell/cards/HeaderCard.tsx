import { Button, Card, makeStyles, Text, tokens } from "@fluentui/react-components";
import type { DataPointType } from "../../../engine/api/schemas";
import { answerParts } from "../../../workbook/sheet/layout/answer-parts";
import type { ColumnContent } from "../../../workbook/sheet/layout/table-plan";
import { plural, shownName } from "../../ui/labels";
import { FactList } from "./FactList";
import type { HeaderFacts } from "../facts/header-facts";
import { unitWords } from "../facts/unit-words";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  card: { overflowWrap: "anywhere" },
});

/** Explains a column of an import, or of a formula's result. */
export function HeaderCard({
  facts: { importName, column, question, filled },
  header,
  onGetData,
}: {
  facts: HeaderFacts;
  /** The text of the header. */
  header: string;
  /** Undefined without a key. */
  onGetData: ((type: DataPointType) => void) | undefined;
}) {
  const styles = useStyles();
  const type = question?.type;
  const count = filled && countWords(filled, column);
  return (
    <>
      <Card className={styles.card} appearance="outline">
        <Text size={500}>{shownName(question ? question.name : header)}</Text>
        <Text>{columnWords(column)}</Text>
        {type && type.description !== "" && <Text size={200}>{type.description}</Text>}
        <FactList
          facts={[
            ["Unit", question && shownName(unitWords(question.unit))],
            [
              question?.categories.length === 1 ? "Category" : "Categories",
              question?.categories.map(shownName).join(", "),
            ],
            ["Question ID", type && String(type.id)],
            ["Filled", count],
            ["From", importName !== null && `Import ${shownName(importName)}`],
          ]}
        />
      </Card>
      {type && onGetData && (
        <div className={styles.row}>
          <Button size="small" onClick={() => onGetData(type)}>
            Get data on it
          </Button>
        </div>
      )}
    </>
  );
}

function countWords({ rows, cells }: { rows: number; cells: number }, column: HeaderFacts["column"]): string {
  const isAnswer = typeof column === "object" && column.of === "answer" && column.part === "value";
  return `${cells.toLocaleString()} of ${plural(rows, "row")}${isAnswer ? " with an answer" : ""}`;
}

const ofAhj: Record<Extract<ColumnContent, { of: "ahj" }>["field"], string> = {
  name: "The jurisdiction’s name, as the service writes it.",
  state_code: "The postal code of the jurisdiction’s state.",
  type: "What kind of jurisdiction it is, such as county or city.",
  geoid:
    "The Census Bureau’s code of the place (FIPS): 2 digits for a state, 5 for a county, 7 or 10 for a city or town. Formulas find jurisdictions by it.",
  id: "The service’s own number for the jurisdiction. A refresh finds rows by it, so keep this column.",
};

const ofType: Record<Extract<ColumnContent, { of: "type" }>["field"], string> = {
  name: "The question that the row answers.",
  unit: "The unit of the row’s answer.",
  id: "The service’s own number for the question. A refresh finds rows by it, so keep this column.",
};

const ofEntry: Record<Extract<ColumnContent, { of: "list" }>["field"], string> = {
  certainty: "How each entry of your list was understood when the columns were added.",
};

function columnWords(column: HeaderFacts["column"]): string {
  if (column === "list") return "Your list. The answers beside it are for these jurisdictions.";
  if (column === "own") return "A column of your own. A refresh leaves it as it is.";
  if (column.of === "ahj") return ofAhj[column.field];
  if (column.of === "type") return ofType[column.field];
  if (column.of === "list") return ofEntry[column.field];
  return column.typeId === null && column.part === "value"
    ? "The answer to the question of each row."
    : answerParts[column.part].about;
}
