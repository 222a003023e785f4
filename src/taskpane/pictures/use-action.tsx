import { makeStyles, Text } from "@fluentui/react-components";
import { useState } from "react";
import { asFailure, type Failure } from "../../errors";
import { FailureMessage } from "../ui/FailureMessage";

const useStyles = makeStyles({
  // A sheet's address may have no blank where it could wrap.
  outcome: { overflowWrap: "anywhere" },
});

/** Runs one action at a time, and shows a sentence about its outcome. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [sentence, setSentence] = useState("");
  const styles = useStyles();
  const act = (action: () => Promise<string>) => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    setSentence("");
    action()
      .then(setSentence, (thrown: unknown) => setFailure(asFailure(thrown)))
      .finally(() => setIsBusy(false));
  };
  const outcome = (
    <>
      {failure && <FailureMessage failure={failure} />}
      <Text size={200} role="status" className={styles.outcome}>
        {sentence}
      </Text>
    </>
  );
  return { act, isBusy, outcome };
}
