import { Button, makeStyles, MessageBar, MessageBarBody, Text, tokens } from "@fluentui/react-components";
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

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** The number of characters of a description that are shown. */
const shownCharacters = 2_000;

/** Describes a saved collection, and offers to run it as it is, so that later refreshes follow its changes. */
export default function CollectionChoice({
  session,
  collection,
  types,
  hasCollections,
  onCollection,
}: {
  session: Session;
  collection: Collection;
  /** The whole catalogue. */
  types: readonly DataPointType[];
  hasCollections: boolean;
  onCollection: (questions: Questions) => void;
}) {
  const styles = useStyles();
  const named = typesOfCollection(collection, types);
  return (
    <>
      {collection.description !== "" && <Text>{beginning(collection.description, shownCharacters)}</Text>}
      {named.length === 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>This collection names no questions. The table may stay empty.</MessageBarBody>
        </MessageBar>
      )}
      <CollectionDefinition session={session} collection={collection} types={types} />
      {hasCollections && (
        <div className={styles.row}>
          <Button size="small" onClick={() => onCollection({ types: named, collection })}>
            Run this collection
          </Button>
        </div>
      )}
    </>
  );
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
        <Text>
          The service decides whether a question must be in both or in one of the two. The table shows what
          comes.
        </Text>
      )}
    </>
  );
}
