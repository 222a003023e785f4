import { Button, makeStyles, MessageBar, MessageBarBody, Text, tokens } from "@fluentui/react-components";
import { JobView } from "../../jobs/JobView";
import { FailureMessage } from "../../ui/FailureMessage";
import { fullAhjLabel, plural } from "../../ui/labels";
import { NameList } from "../jurisdictions/NameList";
import type { CsvControl } from "./use-csv";

const useStyles = makeStyles({
  row: { display: "flex" },
  link: { color: tokens.colorBrandForegroundLink, overflowWrap: "anywhere" },
});

/** The state of a CSV file's export, and the data that the file lacks. */
export default function CsvReport({ state, cancel }: Pick<CsvControl, "state" | "cancel">) {
  const styles = useStyles();
  if (state.status === "failed") return <FailureMessage failure={state.failure} />;
  if (state.status === "running") {
    return (
      <>
        <JobView job={state.job} label="The service is preparing the file" />
        <div className={styles.row}>
          <Button onClick={cancel}>Cancel</Button>
        </div>
      </>
    );
  }
  if (state.status !== "done") return null;
  const { files, missing } = state.result;
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
