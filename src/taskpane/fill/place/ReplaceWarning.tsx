import { MessageBar, MessageBarBody, MessageBarTitle } from "@fluentui/react-components";
import type { TableSize } from "../../../workbook/sheet/layout/table-plan";
import { plural } from "../../ui/labels";
import type { Replaceable } from "./use-replaceable";

/** Says what is lost when another import replaces this one. */
export function ReplaceWarning({ replaces, size }: { replaces: Replaceable; size: TableSize }) {
  const { kept, address, rows, columns, ownColumns, ownRows } = replaces;
  const isSame = rows === size.rows && columns === size.columns;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>“{kept.saved.name}” will be replaced.</MessageBarTitle>
        {isSame
          ? `The new table in ${address} has the same size as the old one.`
          : `${plural(rows, "row")} × ${plural(columns, "column")} in ${address} become ${plural(size.rows, "row")} × ${plural(size.columns, "column")}.`}
        {ownColumns.length > 0 && ` Your own columns in it are lost: ${ownColumns.join(", ")}.`}
        {ownRows > 0 && ` ${plural(ownRows, "row")} of your own would be lost, too.`}
      </MessageBarBody>
    </MessageBar>
  );
}
