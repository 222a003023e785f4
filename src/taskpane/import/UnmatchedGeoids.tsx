import { makeStyles, MessageBar, MessageBarBody, MessageBarTitle, tokens } from "@fluentui/react-components";
import { failureKinds } from "../../errors";
import { plural } from "../ui/labels";
import type { Jurisdictions } from "./use-jurisdictions";

const useStyles = makeStyles({
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, maxHeight: "10rem", overflowY: "auto" },
});

/** What a pasted list held besides jurisdictions: repaired, unreadable and unmatched geoIDs, each by name. */
export function UnmatchedGeoids({ jurisdictions }: { jurisdictions: Jurisdictions }) {
  const styles = useStyles();
  const { unmatched, lastList } = jurisdictions;
  const foundNone = lastList && lastList.geoids.length + lastList.unreadable.length === 0;
  return (
    <>
      {foundNone && (
        <MessageBar intent="warning">
          <MessageBarBody>There are no geoIDs in it.</MessageBarBody>
        </MessageBar>
      )}
      {lastList && lastList.repaired.length > 0 && (
        <MessageBar layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>{plural(lastList.repaired.length, "lost zero")} given back</MessageBarTitle>
            {lastList.repaired.map(({ given, geoid }) => `${given} read as ${geoid}`).join(", ")}
          </MessageBarBody>
        </MessageBar>
      )}
      {lastList && lastList.unreadable.length > 0 && (
        <MessageBar layout="multiline" intent="warning">
          <MessageBarBody>
            <MessageBarTitle>Not geoIDs</MessageBarTitle>
            {lastList.unreadable.join(", ")}
          </MessageBarBody>
        </MessageBar>
      )}
      {unmatched.length > 0 && (
        <MessageBar layout="multiline" intent="warning">
          <MessageBarBody>
            <MessageBarTitle>{plural(unmatched.length, "geoID")} not matched</MessageBarTitle>
            <ul className={styles.list}>
              {unmatched.map(({ geoid, kind }) => (
                <li key={geoid}>
                  {geoid}: {failureKinds[kind].sentence}
                </li>
              ))}
            </ul>
          </MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}
