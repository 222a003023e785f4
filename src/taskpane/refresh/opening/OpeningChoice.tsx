import { Checkbox, Field } from "@fluentui/react-components";
import { useMemo, useState } from "react";
import { config } from "../../../config";
import { asFailure, type Failure } from "../../../errors";
import { createOpeningChoice } from "../../../workbook/imports/saved/opening-choice";
import { setLoadsAtOpening } from "../../../workbook/sheet/startup";
import type { PaneApp } from "../../pane-app";
import { FailureMessage } from "../../ui/FailureMessage";
import { useLoad } from "../../ui/loading/use-load";

/** Lets the user choose if this workbook looks for changes whenever it is opened. */
export function OpeningChoice({ app: { workbook } }: { app: PaneApp }) {
  const choice = useMemo(() => createOpeningChoice(workbook, setLoadsAtOpening), [workbook]);
  const { value: kept } = useLoad(choice.read);
  const [chosen, setChosen] = useState<boolean>();
  const [failure, setFailure] = useState<Failure>();
  const looks = chosen ?? kept ?? false;
  async function choose(next: boolean) {
    setFailure(undefined);
    setChosen(next);
    try {
      await choice.set(next);
    } catch (thrown) {
      setChosen(!next);
      setFailure(asFailure(thrown));
    }
  }
  return (
    <>
      <Field
        hint={
          looks
            ? `Up to ${config.openingRequests} requests each time, with the key of whoever opens it. Someone without RegData may see an add-in error.`
            : undefined
        }
      >
        <Checkbox
          label="Look for changes when this workbook is opened"
          checked={looks}
          disabled={kept === undefined}
          onChange={(_, { checked }) => void choose(checked === true)}
        />
      </Field>
      {failure && <FailureMessage failure={failure} />}
    </>
  );
}
