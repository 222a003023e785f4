import { Text } from "@fluentui/react-components";
import { placeName } from "../../../workbook/imports/refresh/place-name";
import type { LeftAhj, RefreshReport } from "../../../workbook/imports/refresh/plan-refresh";
import type { TableCell } from "../../../workbook/sheet/tables/bound-table";
import { Details } from "../../ui/Details";
import { plural } from "../../ui/labels";
import { AhjList, type AhjLine } from "./AhjList";

/** Jurisdictions that a refresh added to the table of a find, jurisdictions that left, and rows of jurisdictions that had left before. */
export function FoundChanges({
  report: { entered, left, stillLeft },
  onGoTo,
}: {
  report: Pick<RefreshReport, "entered" | "left" | "stillLeft">;
  onGoTo: (cell: TableCell) => void;
}) {
  const back = entered.filter(({ place }) => place !== undefined).length;
  return (
    <>
      {entered.length > 0 && (
        <Details title={`${plural(entered.length, "jurisdiction")} entered`}>
          <Text>They meet the conditions now. {rowsOfEntered(entered.length, back)}</Text>
          <AhjList
            label="Entered"
            lines={entered.map((ahj) => ({
              name: placeName(ahj), place: ahj.place,
              why: ahj.place && "its row is still in the table",
            }))}
            onGoTo={onGoTo}
          />
        </Details>
      )}
      {left.length > 0 && (
        <Details title={`${plural(left.length, "jurisdiction")} left`}>
          <Text>
            They no longer meet the conditions. Their rows are still in the table: delete those you don't need.
          </Text>
          <AhjList label="Left" lines={left.map(lineOfLeft)} onGoTo={onGoTo} />
        </Details>
      )}
      {stillLeft.length > 0 && (
        <Details title={`${plural(stillLeft.length, "jurisdiction")} had left before`}>
          <Text>They still do not meet the conditions. Their rows are in the table.</Text>
          <AhjList label="Left before" lines={stillLeft.map(lineOfLeft)} onGoTo={onGoTo} />
        </Details>
      )}
    </>
  );
}

/** Says where the rows of added jurisdictions are. `back` of them still had a row. */
function rowsOfEntered(all: number, back: number): string {
  if (back === 0) return "Their rows are at the end of the table.";
  return back === all
    ? "Their rows are still in the table, so none was added."
    : "Rows were added at the end of the table for those that had none.";
}

function lineOfLeft({ ahj, place }: LeftAhj): AhjLine {
  return { name: placeName(ahj), place, why: undefined };
}
