import { MessageBar, MessageBarBody, Text } from "@fluentui/react-components";
import type { Session } from "../../app";
import { clockTime } from "../../errors";
import type { ImportEstimate } from "../../workbook/imports/run/estimate";
import { plural } from "../ui/labels";
import { useLimit } from "./jurisdictions/use-limit";

/** What an import takes, and what there is. */
export function EstimateText({
  session,
  estimate: { rows, columns, requests, fitsSheet },
  isMost = false,
  areMostRequests = false,
  parts = 1,
}: {
  session: Session;
  estimate: ImportEstimate;
  /** The table may have fewer rows. */
  isMost?: boolean;
  /** It may take fewer requests. */
  areMostRequests?: boolean;
  /** Tables that it comes in. */
  parts?: number;
}) {
  const { left, resetsAtMs } = useLimit(session);
  const resets = resetsAtMs === undefined ? "" : `, resets ${clockTime(resetsAtMs)}`;
  return (
    <>
      <Text role="status">
        {isMost && "At most "}
        {plural(rows, "row")} × {plural(columns, "column")}, {plural(rows * columns, "cell")},{" "}
        {areMostRequests && requests > 0 && "at most "}
        {plural(requests, "request")}
        {left !== undefined && ` (${left.toLocaleString()} left${resets})`}
      </Text>
      {!fitsSheet && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            That is more than a sheet holds: 1,048,576 rows, 16,384 columns. Choose fewer, or save it as CSV.
          </MessageBarBody>
        </MessageBar>
      )}
      {fitsSheet && parts > 1 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            That is more than memory should hold at once. It comes in {parts.toLocaleString()} tables, each on
            a new sheet.
          </MessageBarBody>
        </MessageBar>
      )}
      {fitsSheet && left !== undefined && requests > left && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            That may be more requests than are left. It waits for the limit to reset, then goes on.
          </MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}
