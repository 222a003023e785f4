import { Text } from "@fluentui/react-components";
import { useState, useSyncExternalStore } from "react";
import { asFailure, type Failure } from "../../errors";
import { FormPicker } from "../fill/insert/FormPicker";
import { asImportForm, type ImportForm } from "../fill/insert/import-form";
import type { PaneApp } from "../pane-app";
import { FailureMessage } from "../ui/FailureMessage";
import { Section } from "./Section";

/** The user's choices with which a new import begins. */
export function ImportDefaultsSection({ app }: { app: PaneApp }) {
  const { importDefaults } = app;
  const defaults = useSyncExternalStore(importDefaults.onChange, importDefaults.current);
  const hasNotes = app.workbook.hasNotes();
  const [failure, setFailure] = useState<Failure>();

  function choose({ layout, citations, hasDates, hasCertainty, makesTable }: ImportForm) {
    setFailure(undefined);
    importDefaults
      .change(() => ({ layout, citations, hasDates, hasCertainty, makesTable }))
      .catch((thrown: unknown) => setFailure(asFailure(thrown)));
  }

  return (
    <Section title="New imports">
      <Text size={200}>What a new table begins with.</Text>
      <FormPicker form={asImportForm(defaults, hasNotes)} onChange={choose} hasNotes={hasNotes} />
      {failure && <FailureMessage failure={failure} />}
    </Section>
  );
}
