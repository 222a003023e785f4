import { Button, makeStyles, MessageBar, MessageBarBody, Text, tokens } from "@fluentui/react-components";
import { useCallback, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../app";
import { endsFind, type ImportChange } from "../../workbook/imports/saved/change-import";
import type { SavedImport } from "../../workbook/imports/saved/saved-import";
import { nothingAsked } from "../fill/draft/asked-questions";
import { createDraftControl } from "../fill/draft/draft-control";
import { JurisdictionPicker } from "../fill/jurisdictions/JurisdictionPicker";
import TypePicker from "../fill/types/TypePicker";
import { useJurisdictions } from "../fill/jurisdictions/use-jurisdictions";
import type { PaneApp } from "../pane-app";
import { plural } from "../ui/labels";
import { useLoad } from "../ui/loading/use-load";

const useStyles = makeStyles({
  column: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalM,
    padding: `${tokens.spacingVerticalS} 0`,
  },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Chooses other types and more jurisdictions for an import. The table changes when they are applied. */
export default function ChangeImport({
  app,
  session,
  saved,
  isBusy,
  onApply,
  onCancel,
}: {
  app: PaneApp;
  session: Session;
  saved: SavedImport;
  isBusy: boolean;
  /** Resolves to true if it succeeded. */
  onApply: (change: ImportChange) => Promise<boolean>;
  /** Drops the choices made here. */
  onCancel: () => void;
}) {
  const styles = useStyles();
  const { catalogue } = session.lookup;
  // The catalogue's types as stored on this device, because the import itself stores only their names.
  const { value: before } = useLoad(
    useCallback(async () => {
      await catalogue.recall();
      return saved.types.map(
        (type) => catalogue.knownType(type.id) ?? { ...type, description: "", category_ids: [] },
      );
    }, [catalogue, saved.types]),
  );
  const [drafts] = useState(() => createDraftControl(app, session));
  const draft = useStore(drafts);
  const jurisdictions = useJurisdictions(drafts.where, draft.where);
  if (!before) return null;
  // As long as the user has chosen no questions, they are those that the import has, which a colleague may change.
  const types = draft.questions === nothingAsked ? before : draft.questions.types;
  const ids = new Set(types.map(({ id }) => id));
  const known = new Set(before.map(({ id }) => id));
  const removed = before.filter(({ id }) => !ids.has(id));
  const added = types.filter(({ id }) => !known.has(id));
  const more = jurisdictions.chosen.length;
  const isSame = removed.length + added.length + more === 0;
  async function apply() {
    if (await onApply({ types, newAhjs: jurisdictions.chosen })) drafts.change({ type: "reset" });
  }

  return (
    <section className={styles.column} aria-label={`Change ${saved.name}`}>
      <TypePicker
        app={app}
        session={session}
        chosen={{ types, collection: null }}
        onChange={(questions) => drafts.change({ type: "ask", questions })}
        hasCollections={false}
        isForMore
      />
      <Text>Jurisdictions that you choose here are added. To remove one, delete its row in the sheet.</Text>
      <JurisdictionPicker app={app} session={session} jurisdictions={jurisdictions} isForMore />
      <Text role="status">
        {isSame
          ? "No changes yet."
          : [
              ...(added.length > 0 ? [`${plural(added.length, "question")} added`] : []),
              ...(removed.length > 0
                ? [
                    `${added.length > 0 ? "the" : "The"} columns of ${removed.map(({ name }) => name).join(", ")} deleted`,
                  ]
                : []),
              ...(more > 0 ? [`${plural(more, "jurisdiction")} added`] : []),
            ].join("; ") +
            ". Your own columns stay." +
            (removed.length > 0
              ? " A slicer, pivot table, chart or name that uses a deleted column loses it: look for these before you apply."
              : "")}
      </Text>
      {endsFind(saved, { newAhjs: jurisdictions.chosen }) && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            The table becomes a plain list: a refresh does not ask its conditions again.
          </MessageBarBody>
        </MessageBar>
      )}
      <div className={styles.row}>
        <Button
          size="small"
          disabledFocusable={isBusy || isSame || types.length === 0}
          onClick={() => void apply()}
        >
          Apply
        </Button>
        <Button size="small" onClick={onCancel} aria-label={`Cancel the change of ${saved.name}`}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
