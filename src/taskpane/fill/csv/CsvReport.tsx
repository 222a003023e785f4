import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  Text,
  tokens,
} from "@fluentui/react-components";
import { FailureMessage } from "../../ui/FailureMessage";
import { fullAhjLabel, plural, waitingForLimit } from "../../ui/labels";
import { NameList } from "../jurisdictions/NameList";
import type { CsvControl } from "./use-csv";

const useStyles = makeStyles({
  link: { color: tokens.colorBrandForegroundLink, overflowWrap: "anywhere" },
});

/** The state of a CSV file's export, and the data that the file lacks. */
export function CsvReport({ state, cancel }: Pick<CsvControl, "state" | "cancel">) {
  const styles = useStyles();
  if (state.status === "idle") return null;
  if (state.status === "failed") return <FailureMessage failure={state.failure} />;
  if (state.status === "saving") {
    return (
      <MessageBar layout="multiline">
        <MessageBarBody>
          {state.waitingUntilMs === undefined
            ? "The service is preparing the file"
            : waitingForLimit(state.waitingUntilMs)}
        </MessageBarBody>
        <MessageBarActions>
          <Button onClick={cancel}>Cancel</Button>
        </MessageBarActions>
      </MessageBar>
    );
  }
  const { files, missing } = state;
  const formulaLike = files.reduce((sum, file) => sum + file.formulaLike, 0);
  const joinedFrom = files.reduce((most, file) => Math.max(most, file.joinedFrom), 0);
  return (
    <>
      <MessageBar intent="success" layout="multiline">
        <MessageBarBody>
          Saved to your Downloads folder. Download again:{" "}
          {files.map(({ name, address }, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <a className={styles.link} href={address} download={name}>
                {name}
              </a>
            </span>
          ))}
          .{joinedFrom > 1 && ` It was joined from ${joinedFrom} files of the service, in UTF-8.`}
        </MessageBarBody>
      </MessageBar>
      {formulaLike > 0 && (
        <Text>
          {plural(formulaLike, "cell")} {formulaLike === 1 ? "begins" : "begin"} with =, +, -, @, a tab or a
          return. A spreadsheet may read such a text as a formula when it opens the file.
        </Text>
      )}
      {missing === null && (
        <Text>
          The file does not say which jurisdictions its rows are about, so missing ones can't be listed.
        </Text>
      )}
      {missing && missing.length > 0 && (
        <NameList
          title={`Not in the file: ${plural(missing.length, "jurisdiction")}`}
          lines={() =>
            missing.map(
              ({ ahj, among }) =>
                fullAhjLabel(ahj) +
                (among ? `: perhaps; ${among.came} of ${among.asked} with this name came` : ""),
            )
          }
        />
      )}
    </>
  );
}
