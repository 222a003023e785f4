import { Button, MessageBar, MessageBarBody, Radio, RadioGroup, Text } from "@fluentui/react-components";
import { useCallback } from "react";
import type { Session } from "../../../app";
import type { Collection, DataPointType } from "../../../engine/api/schemas";
import { typesOfCollection } from "../../../engine/lookup/collections/read-collection";
import { beginning, plural, shownName } from "../../ui/labels";
import { Details } from "../../ui/Details";
import { FailureMessage } from "../../ui/FailureMessage";
import { LineList } from "../../ui/lists/LineList";
import { useLoad } from "../../ui/loading/use-load";
import type { Questions } from "../draft/asked-questions";

/** The number of characters of a description that are shown. */
const shownCharacters = 2_000;

/** Describes a saved collection, and asks whether later refreshes follow its changes, or its present questions are wanted. */
export default function CollectionChoice({
  session,
  collection,
  types,
  asked,
  hasCollections,
  onAsk,
}: {
  session: Session;
  collection: Collection;
  /** The whole catalogue. */
  types: readonly DataPointType[];
  /** The questions that are chosen now. */
  asked: Questions;
  /** True if a collection may be followed. */
  hasCollections: boolean;
  onAsk: (questions: Questions) => void;
}) {
  const named = typesOfCollection(collection, types);
  const way = wayOf(asked, collection, named);
  const questions = named.length === 1 ? "this question" : `these ${plural(named.length, "question")}`;
  const takeNamed = () => onAsk({ types: together(asked, named), collection: null });
  return (
    <>
      {collection.description !== "" && <Text>{beginning(collection.description, shownCharacters)}</Text>}
      {named.length === 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>This collection names no questions. The table may stay empty.</MessageBarBody>
        </MessageBar>
      )}
      <CollectionDefinition session={session} collection={collection} types={types} />
      {hasCollections ? (
        <RadioGroup
          aria-label={shownName(collection.name)}
          value={way}
          onChange={(_, { value }) =>
            value === "follow" ? onAsk({ types: named, collection }) : takeNamed()
          }
        >
          <Radio value="follow" label="Follow this collection: new questions come with a refresh" />
          <Radio value="questions" disabled={named.length === 0} label={`Just ${questions}`} />
        </RadioGroup>
      ) : (
        named.length > 0 && (
          <Button size="small" disabledFocusable={way === "questions"} onClick={takeNamed}>
            {way === "questions" ? `Added ${questions}` : `Add ${questions}`}
          </Button>
        )
      )}
    </>
  );
}

/** The way in which a collection is chosen already; "" if it is not. */
function wayOf(
  { types, collection }: Questions,
  { id }: Collection,
  named: readonly DataPointType[],
): string {
  if (collection) return collection.id === id ? "follow" : "";
  const chosen = new Set(types.map((type) => type.id));
  return named.length > 0 && named.every((type) => chosen.has(type.id)) ? "questions" : "";
}

/** The chosen questions with those of a collection. The questions of one that was followed are not kept: nobody has chosen them. */
function together({ types, collection }: Questions, named: readonly DataPointType[]): DataPointType[] {
  const before = collection ? [] : types;
  const there = new Set(before.map(({ id }) => id));
  return [...before, ...named.filter(({ id }) => !there.has(id))];
}

/** The questions and categories that a collection lists, by name. */
function CollectionDefinition({
  session: {
    lookup: { catalogue },
  },
  collection: { data_point_type_ids, category_ids },
  types,
}: {
  session: Session;
  collection: Collection;
  /** The whole catalogue. */
  types: readonly DataPointType[];
}) {
  const hasCategories = category_ids.length > 0;
  const load = useCallback(
    async () => (hasCategories ? await catalogue.categories() : []),
    [catalogue, hasCategories],
  );
  const { value: categories, failure, retry } = useLoad(load);
  const list = (label: string, ids: readonly number[], named: readonly { id: number; name: string }[]) => {
    const names = new Map(named.map(({ id, name }) => [id, name]));
    return (
      <LineList
        label={label}
        items={ids}
        line={(id) => `${shownName(names.get(id) ?? "Not in the catalogue")} (${id})`}
      />
    );
  };
  const categoryCount = category_ids.length === 1 ? "1 category" : `${category_ids.length} categories`;

  return (
    <>
      {data_point_type_ids.length > 0 && (
        <Details title={`It lists ${plural(data_point_type_ids.length, "question")}`}>
          {list("Questions", data_point_type_ids, types)}
        </Details>
      )}
      {hasCategories && categories && (
        <Details title={`It takes the questions of ${categoryCount}`}>
          {list("Categories", category_ids, categories)}
        </Details>
      )}
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {data_point_type_ids.length > 0 && hasCategories && (
        <Text>The service decides how these are combined.</Text>
      )}
    </>
  );
}
