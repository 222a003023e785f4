import { Button, makeStyles, MessageBar, MessageBarBody, Text, tokens } from "@fluentui/react-components";
import type { Session } from "../../../app";
import type { Collection, DataPointType } from "../../../engine/api/schemas";
import { typesOfCollection } from "../../../engine/lookup/collections/read-collection";
import { beginning } from "../../ui/labels";
import { CollectionDefinition } from "./CollectionDefinition";
import type { Questions } from "./TypePicker";

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
