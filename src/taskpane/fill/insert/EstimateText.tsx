import { MessageBar, MessageBarBody, Text } from "@fluentui/react-components";
import type { Session } from "../../../app";
import type { ImportEstimate } from "../../../workbook/imports/run/estimate";
import { plural } from "../../ui/labels";
import { leftWords } from "../jurisdictions/left-words";
import { useLimit } from "../jurisdictions/use-limit";

/** The size of an import and its requests, and the requests that are left. */
export function EstimateText({
  session,
  asked,
  estimate: { rows, columns, requests, csvRequests, fitsSheet },
  isMost = false,
  areMostRequests = false,
  parts = 1,
}: {
  session: Session;
  asked: { jurisdictions: number; questions: number };
  estimate: ImportEstimate;
  /** True if the table may have fewer rows. */
  isMost?: boolean;
  /** True if the import may take fewer requests. */
  areMostRequests?: boolean;
  /** The number of tables that the import comes in. */
  parts?: number;
}) {
  const limit = useLimit(session);
  const { left } = limit;
  return (
    <>
      <Text role="status" size={200}>
        {plural(asked.jurisdictions, "jurisdiction")} × {plural(asked.questions, "question")}:{" "}
        {isMost && "up to "}
        {plural(rows, "row")} × {plural(columns, "column")}, {areMostRequests && requests > 0 && "at most "}
        {plural(requests, "request")} {leftWords(limit)}
      </Text>
      {csvRequests !== requests && (
        <Text size={200}>
          Save as CSV: {plural(csvRequests, "request")}, because the service makes the file.
        </Text>
      )}
      {!fitsSheet && (
        <Warning>
          That is more than a sheet holds: 1,048,576 rows, 16,384 columns. Choose fewer, or save it as CSV.
        </Warning>
      )}
      {fitsSheet && parts > 1 && (
        <Warning>
          That is too much for one table. It comes in {parts.toLocaleString()} tables, each on a new sheet.
        </Warning>
      )}
      {fitsSheet && left !== undefined && requests > left && (
        <Warning>
          That may be more requests than are left. The import waits until your limit resets, then continues.
        </Warning>
      )}
    </>
  );
}

function Warning({ children }: { children: React.ReactNode }) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>{children}</MessageBarBody>
    </MessageBar>
  );
}
