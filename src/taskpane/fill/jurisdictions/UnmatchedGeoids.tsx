import { MessageBar, MessageBarBody, MessageBarTitle } from "@fluentui/react-components";
import type { ReactNode } from "react";
import { failureKinds } from "../../../errors";
import { Details } from "../../ui/Details";
import { fullAhjLabel, plural, shownName } from "../../ui/labels";
import { LineList } from "../../ui/lists/LineList";
import type { UnmatchedGeoid } from "./chosen-jurisdictions";
import type { Jurisdictions } from "./use-jurisdictions";

/** The notes on reading a list: repaired geoIDs, assumed headers and found names, and each entry that gave no jurisdiction. */
export function UnmatchedGeoids({
  jurisdictions,
  placeOfRow,
}: {
  jurisdictions: Jurisdictions;
  /** The cell of a list's row, if the list is in the sheet. */
  placeOfRow?: (row: number) => { address: string; goTo: () => void };
}) {
  const { unmatched, lastList, named, lastState } = jurisdictions;
  const isEmpty = lastList && Object.values(lastList).every((entries) => entries.length === 0);
  const skipped = unmatched.filter(isSkipped);
  const names = unmatched.filter((entry) => isName(entry) && !isSkipped(entry));
  const geoids = unmatched.filter((entry) => !isName(entry));
  const line = ({ row, ...entry }: UnmatchedGeoid) => unmatchedLine(placeOfRow ? entry : { ...entry, row });
  const placeOf = ({ row }: UnmatchedGeoid) => (row === undefined ? undefined : placeOfRow?.(row));
  return (
    <>
      {lastState && (
        <Notice
          title={`${plural(lastState.found, lastState.kind ?? "jurisdiction")} of ${lastState.state}`}
          isGood
        >
          {lastState.missing > 0 &&
            `The service counts ${plural(lastState.missing, "jurisdiction")} more that it does not list.`}
        </Notice>
      )}
      {isEmpty && <Notice title="The list has no geoIDs or names." />}
      {lastList?.headers.map((header) => (
        <Notice key={header} title={`“${shownName(header)}” was read as the list's header`}>
          If it is a jurisdiction, search for it above.
        </Notice>
      ))}
      {lastList && lastList.repaired.length > 0 && (
        <Notice title={`${plural(lastList.repaired.length, "geoID")} had lost a leading zero. Fixed.`} isGood>
          <LineList
            label="Fixed"
            items={lastList.repaired}
            line={({ given, geoid }) => `${given} → ${geoid}`}
          />
        </Notice>
      )}
      {named.length > 0 && (
        <Details title={`${plural(named.length, "name")} found`}>
          <LineList
            label="Found"
            items={named}
            line={({ name, ahj }) => `${shownName(name)}: ${fullAhjLabel(ahj)}`}
          />
        </Details>
      )}
      {lastList && lastList.doubles.length > 0 && (
        <Details title={`${plural(lastList.doubles.length, "duplicate")} left out`}>
          <LineList label="Duplicates" items={lastList.doubles} line={shownName} />
        </Details>
      )}
      {lastList && lastList.unreadable.length > 0 && (
        <Notice title={`Not geoIDs or names: ${lastList.unreadable.length.toLocaleString()}`}>
          <LineList
            label="Not geoIDs or names"
            items={lastList.unreadable}
            line={shownName}
            placeOf={(entry) => {
              const row = lastList.rows.get(entry);
              return row === undefined ? undefined : placeOfRow?.(row);
            }}
          />
        </Notice>
      )}
      {geoids.length > 0 && (
        <Notice title={`${plural(geoids.length, "geoID")} not found`}>
          <LineList label="geoIDs not found" items={geoids} line={line} placeOf={placeOf} />
        </Notice>
      )}
      {skipped.length > 0 && (
        <Notice title={`${plural(skipped.length, "name")} skipped`}>
          <LineList label="Names skipped" items={skipped} line={line} placeOf={placeOf} />
        </Notice>
      )}
      {names.length > 0 && (
        <Notice title={`${plural(names.length, "name")} not found`}>
          <LineList label="Names not found" items={names} line={line} placeOf={placeOf} />
        </Notice>
      )}
    </>
  );
}

/** True if the entry was looked for as a name. */
export function isName({ kind }: UnmatchedGeoid): boolean {
  return kind === "nothing-found" || kind === "skipped";
}

function isSkipped({ kind }: UnmatchedGeoid): boolean {
  return kind === "skipped";
}

/** An entry with its row, and the reason why it gave no jurisdiction. */
export function unmatchedLine({ geoid, kind, row }: UnmatchedGeoid): string {
  const why = kind === "skipped" ? "Skipped." : failureKinds[kind].sentence;
  return `${shownName(geoid)}${row === undefined ? "" : ` (row ${row.toLocaleString()})`}: ${why}`;
}

function Notice({
  title,
  isGood = false,
  children,
}: {
  title: string;
  isGood?: boolean;
  children?: ReactNode;
}) {
  return (
    <MessageBar layout="multiline" intent={isGood ? "info" : "warning"}>
      <MessageBarBody>
        <MessageBarTitle>{title}</MessageBarTitle>
        {children}
      </MessageBarBody>
    </MessageBar>
  );
}
