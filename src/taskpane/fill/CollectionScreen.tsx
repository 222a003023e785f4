import { Field, makeStyles, MessageBar, MessageBarBody, Select, Text } from "@fluentui/react-components";
import { useCallback, useMemo, useState } from "react";
import type { Collection } from "../../engine/api/schemas";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import type { ImportQuestion } from "../../workbook/imports/run/question";
import { typesOfCollection } from "../../engine/lookup/collections/read-collection";
import { FailureMessage } from "../ui/FailureMessage";
import { beginning, plural, shownName } from "../ui/labels";
import { useLoad } from "../ui/use-load";
import { CollectionDefinition } from "./CollectionDefinition";
import { importName } from "../../workbook/imports/saved/import-name";
import { ImportPanel } from "./ImportPanel";
import { JurisdictionPicker } from "./jurisdictions/JurisdictionPicker";
import { useJurisdictions } from "./jurisdictions/use-jurisdictions";

// A native select is as wide as its longest name.
const useStyles = makeStyles({ narrow: { minWidth: 0, "& select": { minWidth: 0, width: "100%" } } });
const untouched = { collections: [], types: [] };

/** Of a description. */
const shownCharacters = 2_000;

/** Fills the sheet with a saved collection, executed for chosen jurisdictions. */
export default function CollectionScreen({
  app,
  session,
  isShown,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
}) {
  const styles = useStyles();
  const jurisdictions = useJurisdictions(session);
  const { catalogue } = session.lookup;
  // Asked for when somebody looks at this screen, not before.
  const load = useCallback(async () => {
    if (!isShown) return undefined;
    const [collections, types] = await Promise.all([catalogue.collections(), catalogue.types()]);
    return { collections, types };
  }, [catalogue, isShown]);
  const { value, failure, retry } = useLoad(load);
  const { collections, types } = value ?? untouched;
  const [collection, setCollection] = useState<Collection | null>(null);

  const { chosen } = jurisdictions;
  const question = useMemo<ImportQuestion | null>(
    () => (collection && chosen.length > 0 ? { kind: "collection", ahjs: chosen, collection } : null),
    [chosen, collection],
  );
  const typeCount = collection ? typesOfCollection(collection, types).length : 0;

  // A line that goes when they have come would move what is below it, under the pointer.
  const isLoading = !value && !failure;
  const isEmpty = value !== undefined && collections.length === 0;
  const prompt = isLoading
    ? "Loading your collections…"
    : isEmpty
      ? "Your organisation has none"
      : "Choose one";

  return (
    <>
      <Field label="Collection">
        <Select
          className={styles.narrow}
          value={collection?.id ?? ""}
          onChange={(_, { value: chosenId }) =>
            setCollection(collections.find(({ id }) => id === chosenId) ?? null)
          }
        >
          <option value="" disabled hidden>
            {prompt}
          </option>
          {collections.map(({ id, name }) => (
            <option key={id} value={id}>
              {shownName(name)}
            </option>
          ))}
        </Select>
      </Field>
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {collection && typeCount > 0 && (
        <Text>
          {beginning(collection.description, shownCharacters)}
          {collection.category_ids.length > 0 && ` It names ${plural(typeCount, "type")}.`}
        </Text>
      )}
      {collection && typeCount === 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>This collection names no types; it may bring nothing.</MessageBarBody>
        </MessageBar>
      )}
      {collection && <CollectionDefinition session={session} collection={collection} types={types} />}
      <JurisdictionPicker app={app} session={session} jurisdictions={jurisdictions} />
      <ImportPanel
        app={app}
        session={session}
        question={question}
        catalogue={types}
        sheetName={importName({ ahjs: chosen, collection })}
        missing="Choose a collection and jurisdictions."
        unmatched={jurisdictions.unmatched}
        isShown={isShown}
      />
    </>
  );
}
