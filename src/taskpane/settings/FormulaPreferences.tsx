import { Checkbox, Field, Select } from "@fluentui/react-components";
import { useState } from "react";
import { asFailure, type Failure } from "../../errors";
import type { Preferences } from "../../settings/preferences";
import { numbersWithProperties } from "../../workbook/sheet/excel-api";
import type { PaneApp } from "../pane-app";
import { FailureMessage } from "../ui/FailureMessage";
import { Section } from "./Section";

const answerAges = {
  "an hour": 3_600_000,
  "a day": 86_400_000,
  "a week": 604_800_000,
  "30 days": 2_592_000_000,
};

/** The user's choices of the age that an answer may have, and of numbers that carry their citation. */
export function FormulaPreferences({ app }: { app: PaneApp }) {
  const [{ answerAgeMs, citedNumbers }, setPreferences] = useState(app.preferences);
  const [failure, setFailure] = useState<Failure>();
  const isListed = Object.values(answerAges).includes(answerAgeMs);
  const canCite = app.hasExcelApi(numbersWithProperties) && app.hasDataTypes();

  async function choose(choice: Partial<Preferences>) {
    setFailure(undefined);
    try {
      await app.setPreferences({ ...app.preferences(), ...choice });
      setPreferences(app.preferences());
    } catch (thrown) {
      setFailure(asFailure(thrown));
    }
  }

  return (
    <Section title="Formulas">
      <Field label="Keep answers for" hint="Older answers are fetched again when a formula needs them.">
        <Select value={answerAgeMs} onChange={(_, { value }) => void choose({ answerAgeMs: Number(value) })}>
          {Object.entries(answerAges).map(([name, ms]) => (
            <option key={name} value={ms}>
              {name}
            </option>
          ))}
          {!isListed && <option value={answerAgeMs}>{answerAgeMs / 3_600_000} hours</option>}
        </Select>
      </Field>
      <Field
        hint={
          canCite
            ? "Numbers in formulas look as published and carry a card with their source. This takes more requests and applies once formulas are refreshed."
            : "This Excel can't show citations on numbers."
        }
      >
        <Checkbox
          label="Numbers carry their citation"
          checked={citedNumbers && canCite}
          disabled={!canCite}
          onChange={(_, { checked }) => void choose({ citedNumbers: checked === true })}
        />
      </Field>
      {failure && <FailureMessage failure={failure} />}
    </Section>
  );
}
