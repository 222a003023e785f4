import {
  Combobox,
  Field,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useCallback, useEffect, useRef, useState } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import type { PaneApp } from "../../pane-app";
import { ChosenTags } from "../../ui/lists/ChosenTags";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural, shownName } from "../../ui/labels";
import { useLoad } from "../../ui/loading/use-load";
import type { Questions } from "../draft/asked-questions";
import { SearchOptions } from "../../ui/lists/SearchOptions";
import { useLastChoice } from "../use-last-choice";
import { pastedLines, questionsIn } from "./pasted-questions";
import { questionOptions, useTypeSearch } from "./use-type-search";
import { TypeLists } from "./TypeLists";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
});

/** The most pasted lines without a question that are shown. */
const mostNamed = 10;

/**
 * Chooses questions: by search, whose list stays open so that several are quickly chosen, or which takes a pasted list; by category; or from
 * lists and saved collections.
 */
export default function TypePicker({
  app,
  session,
  chosen: { types: chosen, collection },
  onChange: onQuestions,
  hasCollections,
  isForMore = false,
  hasOwnColumns = false,
}: {
  app: PaneApp;
  session: Session;
  chosen: Questions;
  onChange: (questions: Questions) => void;
  /** True if a saved collection may be followed. */
  hasCollections: boolean;
  /** True if an import is changed, whose columns have their places already. */
  isForMore?: boolean;
  /** True if columns of the user's own are filled, whose questions are not among the chosen ones. */
  hasOwnColumns?: boolean;
}) {
  const onChange = (next: readonly DataPointType[]) => onQuestions({ types: next, collection: null });
  const styles = useStyles();
  const [text, setText] = useState("");
  const [isSearching, setIsSearching] = useState(false);
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
      catalogue.recentCollections().catch(() => []),
      catalogue.recall(),
    ]);
    return { types, categories, collections };
  }, [catalogue, isWanted]);
  const { value: listed, failure, retry } = useLoad(load);
  const types = listed?.types;
  const recent = useLastChoice(app, isSearching)?.typeIds;
  const found = useTypeSearch(catalogue, types, text);
  const { finder } = found;
  /** The lines of a pasted list, until the catalogue is there, and those of them that name no question. */
  const [pasted, setPasted] = useState<readonly string[]>();
  const [notFound, setNotFound] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!pasted || !finder) return;
    const { types: named, notFound: others } = questionsIn(pasted, finder);
    const there = new Set(chosen.map(({ id }) => id));
    setPasted(undefined);
    setNotFound(others);
    onQuestions({ types: [...chosen, ...named.filter(({ id }) => !there.has(id))], collection: null });
  }, [pasted, finder, chosen, onQuestions]);

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
          onPaste={(event) => {
            const lines = pastedLines(event.clipboardData.getData("text"));
            setNotFound([]);
            if (!lines) return;
            event.preventDefault();
            setPasted(lines);
          }}
          onOpenChange={(_, { open }) => {
            setIsSearching(open);
            if (!open) setText("");
          }}
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
          <SearchOptions {...questionOptions(found, text === "" ? recent : undefined)} />
        </Combobox>
      </Field>
      {notFound.length > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            No question has all the words of {plural(notFound.length, "pasted line")}:{" "}
            {notFound
              .slice(0, mostNamed)
              .map((line) => `“${shownName(line)}”`)
              .join(", ")}
            {notFound.length > mostNamed && " and others"}. Search for it by other words.
          </MessageBarBody>
        </MessageBar>
      )}
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {found.failure && <FailureMessage failure={found.failure} onRetry={found.retry} />}
      <TypeLists
        app={app}
        session={session}
        catalogue={listed}
        hasCollections={hasCollections}
        asked={{ types: chosen, collection }}
        onAsk={onQuestions}
      />
      {collection ? (
        <Text>
          Follows “{shownName(collection.name)}”, {plural(chosen.length, "question")} now. Choose a question
          to ask for questions instead.
        </Text>
      ) : (
        <ChosenTags
          noun={hasOwnColumns ? "further question" : "question"}
          items={chosen.map((type) => ({ id: type.id, label: shownName(type.name) }))}
          onRemove={(id) => onChange(chosen.filter((type) => type.id !== id))}
          onMove={isForMore ? undefined : (id, place) => onChange(movedTo(chosen, id, place))}
          onClear={() => onChange([])}
        />
      )}
    </section>
  );
}

/** The questions with one of them at another place. */
function movedTo(types: readonly DataPointType[], id: number, place: number): DataPointType[] {
  const others = types.filter((type) => type.id !== id);
  return [...others.slice(0, place), ...types.filter((type) => type.id === id), ...others.slice(place)];
}
