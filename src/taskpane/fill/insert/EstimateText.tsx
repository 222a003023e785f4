import { MessageBar, MessageBarBody, Text } from "@fluentui/react-components";
import type { Session } from "../../../app";
import { config } from "../../../config";
import type { ImportEstimate } from "../../../workbook/imports/run/estimate";
import { plural } from "../../ui/labels";
import { leftWords } from "../jurisdictions/left-words";
import { useLimit } from "../jurisdictions/use-limit";

/** The requests that are left are told if an import takes more than a part of them: one in so many. */
const worthTelling = 20;

/** An import's jurisdictions, questions and requests, the requests that are left, and the table's size if no sheet holds it. */
export default function EstimateText({
  session,
  asked,
  estimate: { rows, columns, requests, fitsSheet },
  isMost = false,
  areMostRequests = false,
  isOfGeoidsAlone = false,
  parts = 1,
}: {
  session: Session;
  asked: { jurisdictions: number; questions: number };
  estimate: ImportEstimate;
  /** True if the table may have fewer rows. */
  isMost?: boolean;
  /** True if the import may take fewer requests. */
  areMostRequests?: boolean;
  /** True if a list becomes jurisdictions, without answers. */
  isOfGeoidsAlone?: boolean;
  /** The number of tables that the import comes in. */
  parts?: number;
}) {
  const limit = useLimit(session);
  const { left } = limit;
  const isLeftWorthTelling = left !== undefined && requests * worthTelling > left;
  return (
    <>
      <Text role="status" size={200}>
        {plural(asked.jurisdictions, "jurisdiction")}
        {asked.questions > 0 && ` × ${plural(asked.questions, "question")}`}
        {isOfGeoidsAlone ? ", and no question is chosen: only geoIDs are added. " : ": "}
        {areMostRequests && requests > 0 && "at most "}
        {plural(requests, "request")} {isLeftWorthTelling && leftWords(limit)}
      </Text>
      {!fitsSheet && (
        <Warning>
          The table would have {isMost && "up to "}
          {plural(rows, "row")} and {plural(columns, "column")}. A sheet holds{" "}
          {plural(config.sheetRows, "row")} and {plural(config.sheetColumns, "column")}. Choose fewer, or save
          it as CSV.
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
