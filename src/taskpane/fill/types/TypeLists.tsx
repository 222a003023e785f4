import { Button, makeStyles, MessageBar, MessageBarBody, tokens } from "@fluentui/react-components";
import { useMemo, useRef, useState } from "react";
import type { Category, Collection, DataPointType } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import { curatedLists } from "../../../engine/lookup/catalogue/curated-types";
import { createSavedSelections, type SavedSelection } from "../../../settings/choices/saved-selections";
import type { PaneApp } from "../../pane-app";
import { typesOfCollection } from "../../../engine/lookup/collections/read-collection";
import { plural, shownName } from "../../ui/labels";
import { GroupedSelect } from "../../ui/lists/GroupedSelect";
import { NameForm } from "../../ui/lists/NameForm";
import { lazyView } from "../../ui/loading/lazy-view";
import { ScreenBoundary } from "../../ui/loading/ScreenBoundary";
import { type Keeper, useNamedLists } from "../../ui/lists/use-named-lists";
import { useLastChoice } from "../use-last-choice";
import { LineList } from "../../ui/lists/LineList";
import type { Questions } from "../draft/asked-questions";

const CollectionChoice = lazyView(() => import("./CollectionChoice"));

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** The lists of the service. */
export interface ListedCatalogue {
  types: readonly DataPointType[];
  categories: readonly Category[];
  collections: readonly Collection[];
}

/** Offers many questions at once: a category, a published list, a saved collection, or a selection that the user has saved. */
export function TypeLists({
  app,
  session,
  catalogue,
  hasCollections,
  asked,
  onAsk,
}: {
  app: PaneApp;
  session: Session;
  /** Undefined until it is loaded. */
  catalogue: ListedCatalogue | undefined;
  /** True if a collection may be followed. */
  hasCollections: boolean;
  asked: Questions;
  onAsk: (questions: Questions) => void;
}) {
  const styles = useStyles();
  const chosen = asked.types;
  const types = catalogue?.types;
  const saved = useNamedLists(app, createSavedSelections, "urn:regdata:selections");
  const last = useLastChoice(app, chosen.length === 0)?.typeIds ?? noTypes;
  const [isNaming, setIsNaming] = useState(false);
  const [key, setKey] = useState("");
  const select = useRef<HTMLSelectElement>(null);
  const groups = useMemo(
    () => groupsOf({ ...catalogue, selections: saved.lists, last }),
    [catalogue, saved, last],
  );
  const list = groups.flatMap(({ lists }) => lists).find((candidate) => candidate.key === key);

  return (
    <>
      <GroupedSelect
        label="Category, list or collection"
        groups={groups}
        value={list?.key ?? ""}
        select={select}
        onChange={setKey}
      />
      {list?.collection && types && (
        <ScreenBoundary>
          <CollectionChoice
            session={session}
            collection={list.collection}
            types={types}
            {...{ asked, hasCollections, onAsk }}
          />
        </ScreenBoundary>
      )}
      {list && types && !list.collection && (
        <ChosenList
          list={list}
          types={types}
          nameOf={(typeId) => session.lookup.catalogue.knownType(typeId)?.name}
          chosen={chosen}
          onChange={(next) => onAsk({ types: next, collection: null })}
        />
      )}
      <div className={styles.row}>
        {list?.keeper !== undefined && (
          <Button
            size="small"
            onClick={() => {
              select.current?.focus();
              setKey("");
              if (list.keeper) saved.remove(list.name, list.keeper);
            }}
          >
            Delete this selection
          </Button>
        )}
        <Button
          size="small"
          aria-expanded={isNaming}
          disabledFocusable={chosen.length === 0}
          onClick={() => setIsNaming((before) => !before)}
        >
          Save this selection…
        </Button>
      </div>
      {isNaming && chosen.length > 0 && (
        <NameForm
          label="Name of the selection"
          names={saved.names}
          onSave={(name, where) => {
            saved.save({ name, typeIds: chosen.map(({ id }) => id) }, where);
            setKey(savedKey(name, where));
            select.current?.focus();
            setIsNaming(false);
          }}
        />
      )}
      {saved.problem && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>Your selections can't be {saved.problem}.</MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}

function ChosenList({
  list,
  types,
  nameOf,
  chosen,
  onChange,
}: {
  list: TypeList;
  types: readonly DataPointType[];
  nameOf: (typeId: number) => string | undefined;
  chosen: readonly DataPointType[];
  onChange: (types: readonly DataPointType[]) => void;
}) {
  const styles = useStyles();
  const byId = useMemo(() => new Map(types.map((type) => [type.id, type])), [types]);
  const chosenIds = new Set(chosen.map(({ id }) => id));
  const added = list.typeIds.flatMap((id) => (chosenIds.has(id) ? [] : (byId.get(id) ?? [])));
  const lacking = list.typeIds.filter((id) => !byId.has(id));
  return (
    <>
      <div className={styles.row}>
        <Button
          size="small"
          disabledFocusable={added.length === 0}
          onClick={() => onChange([...chosen, ...added])}
        >
          {added.length === 0 ? "All of them are chosen" : `Add ${plural(added.length, "question")}`}
        </Button>
      </div>
      {lacking.length > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            The service does not have {plural(lacking.length, "question")} of this list:
            <LineList
              label="Lacking questions"
              items={lacking}
              line={(id) => [nameOf(id), `question ${id}`].filter(Boolean).join(", ")}
            />
          </MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}

interface TypeList {
  key: string;
  name: string;
  typeIds: readonly number[];
  /** The place where the user's own list is stored; undefined for other lists. */
  keeper?: Keeper;
  /** The service's collection; undefined for other lists. */
  collection?: Collection;
}

const savedKey = (name: string, where: Keeper) => `${where} ${name}`;
const noTypes: readonly number[] = [];

function groupsOf({
  types = [],
  categories = [],
  collections = [],
  selections,
  last,
}: Partial<ListedCatalogue> & {
  selections: Record<Keeper, readonly SavedSelection[]>;
  /** Ids of the types that the last import asked for. */
  last: readonly number[];
}): { name: string; lists: (TypeList & { count: number })[] }[] {
  const published: TypeList[] = curatedLists.map((list) => ({ key: list.name, ...list }));
  const ownOf = (keeper: Keeper): TypeList[] =>
    selections[keeper].map((list) => ({ key: savedKey(list.name, keeper), ...list, keeper }));
  const lastUsed = { key: "last", name: "Same questions as last time", typeIds: last };
  const byCategory: TypeList[] = categories.map(({ id, name }) => ({
    key: `category ${id}`,
    name,
    typeIds: types.filter((type) => type.category_ids.includes(id)).map((type) => type.id),
  }));
  const ofService: TypeList[] = collections.map((collection) => ({
    key: `collection ${collection.id}`,
    name: shownName(collection.name),
    typeIds: typesOfCollection(collection, types).map(({ id }) => id),
    collection,
  }));
  return [
    { name: "Last used", lists: last.length > 0 ? [lastUsed] : [] },
    { name: "Recommended lists", lists: published },
    { name: "Your selections", lists: ownOf("device") },
    { name: "In this workbook", lists: ownOf("workbook") },
    { name: "Saved collections", lists: ofService },
    { name: "Categories", lists: byCategory },
  ]
    .filter(({ lists }) => lists.length > 0)
    .map((group) => ({
      ...group,
      lists: group.lists.map((list) => ({ ...list, count: list.typeIds.length })),
    }));
}
