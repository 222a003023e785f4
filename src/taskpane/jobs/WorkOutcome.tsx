import { makeStyles, Text } from "@fluentui/react-components";
import { FailureMessage } from "../ui/FailureMessage";
import { JobView } from "./JobView";
import type { SlotState } from "./slot";

const useStyles = makeStyles({ text: { overflowWrap: "anywhere" } });

/** Work whose result is a sentence: its progress under `label`, its failure, or the sentence. An empty sentence is not said. */
export function WorkOutcome({ work, label }: { work: SlotState<unknown, string>; label: string }) {
  const styles = useStyles();
  if (work.status === "running") return <JobView job={work.job} label={label} />;
  if (work.status === "failed") return <FailureMessage failure={work.failure} />;
  if (work.status !== "done" || work.result === "") return null;
  return (
    <Text role="status" className={styles.text}>
      {work.result}
    </Text>
  );
}
