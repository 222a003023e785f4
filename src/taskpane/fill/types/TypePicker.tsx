import { Combobox, Field, makeStyles, Option, tokens } from "@fluentui/react-components";
import { useCallback, useState } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import type { PaneApp } from "../../pane-app";
import { ChosenTags } from "../../ui/ChosenTags";
import { FailureMessage } from "../../ui/FailureMessage";
import { shownName } from "../../ui/labels";
import { useLoad } from "../../ui/use-load";
import { useTypeSearch } from "./use-type-search";
import { TypeLists } from "./TypeLists";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  narrow: { minWidth: 0, width: "100%" },
});

/**
 * Chooses data point types: by search, whose list stays open, so that several are quickly chosen; by category; from
 * lists.
 */
export function TypePicker({
  app,
  session,
  chosen,
  onChange,
}: {
  app: PaneApp;
  session: Session;
  chosen: readonly DataPointType[];
  onChange: (types: readonly DataPointType[]) => void;
}) {
  const styles = useStyles();
  const [text, setText] = useState("");
  const { catalogue } = session.lookup;
  // Asked for when somebody is about to choose, not before.
  const [isWanted, setIsWanted] = useState(false);
  const load = useCallback(
    async () =>
      isWanted
        ? await Promise.all([catalogue.types(), catalogue.categories(), catalogue.recall()])
        : undefined,
    [catalogue, isWanted],
  );
  const { value: loaded, failure, retry } = useLoad(load);
  const [types, categories] = loaded ?? [];
  const found = useTypeSearch(types, text);
  const results = found.value ?? [];

  return (
    <section
      className={styles.column}
      aria-label="Data point types"
      onFocus={() => setIsWanted(true)}
      onPointerEnter={() => setIsWanted(true)}
    >
      <Field
        label="Search data point types"
        hint={isWanted && !found.value && !failure ? "Loading the catalogue" : undefined}
      >
        <Combobox
          className={styles.narrow}
          multiselect
          freeform
          placeholder="Question, such as permit fee"
          value={text}
          selectedOptions={chosen.map((type) => String(type.id))}
          onInput={(event) => setText(event.currentTarget.value)}
          onOpenChange={(_, { open }) => open || setText("")}
          onOptionSelect={(_, { selectedOptions }) => {
            const selected = new Set(selectedOptions);
            const byId = new Map([...(types ?? []), ...chosen].map((type) => [String(type.id), type]));
            // In the order of choosing: the columns follow it.
            const kept = chosen.filter((type) => selected.has(String(type.id)));
            const keptIds = new Set(kept.map((type) => String(type.id)));
            const added = selectedOptions
              .filter((id) => !keptIds.has(id))
              .flatMap((id) => byId.get(id) ?? []);
            onChange([...kept, ...added]);
          }}
        >
          {results.map((type) => (
            <Option key={type.id} value={String(type.id)} text={type.name}>
              {`${shownName(type.name)} (${type.id})`}
            </Option>
          ))}
          {results.length === 0 && (
            <Option disabled text="">
              Nothing found
            </Option>
          )}
        </Combobox>
      </Field>
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {found.failure && <FailureMessage failure={found.failure} onRetry={found.retry} />}
      <TypeLists
        app={app}
        session={session}
        types={types}
        categories={categories}
        chosen={chosen}
        onChange={onChange}
      />
      <ChosenTags
        noun="type"
        items={chosen.map((type) => ({ id: type.id, label: shownName(type.name) }))}
        onRemove={(id) => onChange(chosen.filter((type) => type.id !== id))}
        onClear={() => onChange([])}
      />
    </section>
  );
}
