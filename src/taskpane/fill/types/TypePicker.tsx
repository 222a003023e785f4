import { Combobox, Field, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useCallback, useRef, useState } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import type { PaneApp } from "../../pane-app";
import { ChosenTags } from "../../ui/lists/ChosenTags";
import { FailureMessage } from "../../ui/FailureMessage";
import { shownName } from "../../ui/labels";
import { useLoad } from "../../ui/loading/use-load";
import type { Questions } from "../draft/asked-questions";
import { SearchOptions } from "../../ui/lists/SearchOptions";
import { questionOptions, useTypeSearch } from "./use-type-search";
import { TypeLists } from "./TypeLists";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
});

/**
 * Chooses questions: by search, whose list stays open so that several are quickly chosen; by category; or from lists and saved collections.
 */
export default function TypePicker({
  app,
  session,
  chosen: { types: chosen, collection },
  onChange: onQuestions,
  hasCollections,
}: {
  app: PaneApp;
  session: Session;
  chosen: Questions;
  onChange: (questions: Questions) => void;
  /** True if a saved collection may be run as it is. */
  hasCollections: boolean;
}) {
  const onChange = (next: readonly DataPointType[]) => onQuestions({ types: next, collection: null });
  const styles = useStyles();
  const [text, setText] = useState("");
  const search = useRef<HTMLInputElement>(null);
  const { catalogue } = session.lookup;
  // True once the user is about to choose; only then is the catalogue loaded.
  const [isWanted, setIsWanted] = useState(false);
  const load = useCallback(async () => {
    if (!isWanted) return undefined;
    const [types, categories, collections] = await Promise.all([
      catalogue.types(),
      catalogue.categories(),
      // A service without collections still has everything else.
      catalogue.collections().catch(() => []),
      catalogue.recall(),
    ]);
    return { types, categories, collections };
  }, [catalogue, isWanted]);
  const { value: listed, failure, retry } = useLoad(load);
  const types = listed?.types;
  const found = useTypeSearch(catalogue, types, text);

  return (
    <section
      className={styles.column}
      aria-label="Questions"
      onFocus={() => setIsWanted(true)}
      onPointerEnter={() => setIsWanted(true)}
    >
      <Field
        label="Search questions"
        hint={isWanted && !found.value && !failure ? "Loading the catalogue" : undefined}
      >
        <Combobox
          ref={search}
          multiselect
          freeform
          placeholder="Permit fee"
          value={text}
          selectedOptions={chosen.map((type) => String(type.id))}
          onInput={(event) => setText(event.currentTarget.value)}
          onOpenChange={(_, { open }) => open || setText("")}
          onOptionSelect={(_, { selectedOptions }) => {
            // The text is selected, so that typing replaces it, and the list stays open for choosing several questions.
            search.current?.select();
            const selected = new Set(selectedOptions);
            const byId = new Map([...(types ?? []), ...chosen].map((type) => [String(type.id), type]));
            // Questions stay in the order of choosing, because the table's columns follow it.
            const kept = chosen.filter((type) => selected.has(String(type.id)));
            const keptIds = new Set(kept.map((type) => String(type.id)));
            const added = selectedOptions
              .filter((id) => !keptIds.has(id))
              .flatMap((id) => byId.get(id) ?? []);
            onChange([...kept, ...added]);
          }}
        >
          <SearchOptions {...questionOptions(found)} />
        </Combobox>
      </Field>
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {found.failure && <FailureMessage failure={found.failure} onRetry={found.retry} />}
      <TypeLists
        app={app}
        session={session}
        catalogue={listed}
        hasCollections={hasCollections}
        onCollection={onQuestions}
        chosen={chosen}
        onChange={onChange}
      />
      {collection && (
        <Text>
          The saved collection “{shownName(collection.name)}” is run as it is. Choose a question to ask for
          questions instead.
        </Text>
      )}
      <ChosenTags
        noun="question"
        items={chosen.map((type) => ({ id: type.id, label: shownName(type.name) }))}
        onRemove={(id) => onChange(chosen.filter((type) => type.id !== id))}
        onClear={() => onChange([])}
      />
    </section>
  );
}
