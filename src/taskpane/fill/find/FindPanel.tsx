import { Button, makeStyles, ProgressBar, Radio, RadioGroup, Text, tokens } from "@fluentui/react-components";
import { type ComponentProps, useCallback, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import type { Session } from "../../../app";
import type { Ahj } from "../../../engine/api/schemas";
import { config } from "../../../config";
import { asFailure, Failure } from "../../../errors";
import { createImportBook, type KeptImport } from "../../../workbook/imports/saved/import-book";
import { identifyAhjs } from "../../../engine/lookup/directory/identify";
import { idHeaders, importRows } from "../../../workbook/imports/saved/import-rows";
import type { SavedImport } from "../../../workbook/imports/saved/saved-import";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import type { PaneApp } from "../../pane-app";
import { Details } from "../../ui/Details";
import { FailureMessage } from "../../ui/FailureMessage";
import { lazyView } from "../../ui/loading/lazy-view";
import { ScreenBoundary } from "../../ui/loading/ScreenBoundary";
import { plural } from "../../ui/labels";
import { useLoad } from "../../ui/loading/use-load";
import { ConditionFields } from "./ConditionFields";
import { FindActions } from "./FindActions";
import { FindHeaps } from "./FindHeaps";
import { FindRequests } from "./FindRequests";
import type { FoundChoice } from "../draft/draft";
import type { DraftControl } from "../draft/draft-control";
import { createFindControl, type FindDrafts } from "./find-control";
import type { ConditionDraft, FindAction, Within } from "./find-draft";
import { FindSentence } from "./FindSentence";
import { WithinChoice } from "./WithinChoice";

const FoundPictures = lazyView(() => import("./FoundPictures"));

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Finds jurisdictions by their answers. */
export default function FindPanel({
  app,
  session,
  isOpen,
  drafts,
  footer,
  onUse,
}: {
  app: PaneApp;
  session: Session;
  isOpen: boolean;
  drafts: DraftControl;
  /** The element at the bottom of the pane that gets the main button. */
  footer: HTMLElement | null;
  onUse: (found: FoundChoice) => void;
}) {
  const styles = useStyles();
  const [control] = useState(() => createFindControl(session, app.jobs, findDraftsOf(drafts)));
  useEffect(() => control.end, [control]);
  const state = useStore(control);
  const { within, lastStates, match, conditions } = useStore(drafts, ({ find }) => find);
  const chosen = useStore(drafts, ({ where }) => where.chosen);
  const change = useCallback((action: FindAction) => drafts.change({ type: "find", action }), [drafts]);
  const lookWithin = useCallback((next: Within) => change({ type: "look-within", within: next }), [change]);
  const { catalogue } = session.lookup;
  const { value: types, failure, retry } = useLoad(useCallback(() => catalogue.types(), [catalogue]));
  const { workbook } = app;
  const { value: imports } = useLoad(
    // The list is read anew whenever the panel is opened, because another import may have been added.
    useCallback(async () => {
      if (!isOpen) return [];
      const { imports: all } = await createImportBook(workbook).list();
      return all.filter(({ place }) => place !== null);
    }, [workbook, isOpen]),
  );
  // True once the user has added a condition, whose field then gets the focus.
  const [hasAdded, setHasAdded] = useState(false);
  const [ofImport, setOfImport] = useState<{ kept: KeptImport; notGiven?: number; failure?: Failure }>();

  const isOfChosen = within.kind === "chosen" && !ofImport;
  const used = useRef<readonly Ahj[]>(undefined);
  // The find looks within a new choice of jurisdictions, but not if the choice is its own result.
  useEffect(() => {
    const isOwn =
      used.current?.length === chosen.length && used.current.every((ahj, place) => ahj === chosen[place]);
    const { find } = drafts.getState();
    const isKnown = find.within.kind === "chosen" && find.within.ahjs === chosen;
    if (isOfChosen && !isOwn && !isKnown) lookWithin({ kind: "chosen", ahjs: chosen });
  }, [drafts, lookWithin, isOfChosen, chosen]);

  async function lookWithinImport(kept: KeptImport) {
    setOfImport({ kept });
    const nobody = { kind: "chosen", ahjs: [] } as const;
    lookWithin(nobody);
    // The user may have chosen something else by the time the import's rows are read.
    const isCurrent = () => drafts.getState().find.within === nobody;
    try {
      const { ahjs, notGiven } = await jurisdictionsOfImport(kept.saved, app, session);
      if (!isCurrent()) return;
      setOfImport({ kept, notGiven });
      lookWithin({ kind: "chosen", ahjs });
    } catch (thrown) {
      if (isCurrent()) setOfImport({ kept, failure: asFailure(thrown) });
    }
  }

  return (
    <section className={styles.column} aria-label="Those that answer">
      <FindSentence
        catalogue={catalogue}
        types={types}
        onDescribe={(action) => {
          setOfImport(undefined);
          change(action);
        }}
      />
      <WithinChoice
        within={within}
        lastStates={lastStates}
        chosen={chosen}
        imports={imports ?? []}
        importId={ofImport?.kept.saved.id}
        onWithin={(next) => {
          setOfImport(undefined);
          lookWithin(next);
        }}
        onImport={(kept) => void lookWithinImport(kept)}
      />
      {ofImport?.failure && <FailureMessage failure={ofImport.failure} />}
      {ofImport?.notGiven !== undefined && ofImport.notGiven > 0 && (
        <Text size={200}>
          {plural(ofImport.notGiven, "jurisdiction")} of the import can't be had from the service and{" "}
          {ofImport.notGiven === 1 ? "is" : "are"} left out.
        </Text>
      )}
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {conditions.map((draft, place) => (
        <ConditionFields
          key={draft.id}
          catalogue={catalogue}
          draft={draft}
          number={place + 1}
          types={types}
          column={draft.type ? state.columns.get(draft.type.id) : undefined}
          problem={state.problems.get(draft.id)}
          isNew={hasAdded && place === conditions.length - 1}
          onChange={(condition) => change({ type: "change-condition", condition })}
          onRemove={() => change({ type: "remove-condition", id: draft.id })}
        />
      ))}
      <div className={styles.row}>
        <Button
          size="small"
          disabledFocusable={conditions.length >= config.mostConditions}
          onClick={() => {
            setHasAdded(true);
            change({ type: "add-condition" });
          }}
        >
          Add a condition
        </Button>
      </div>
      {conditions.length > 1 && (
        <RadioGroup
          layout="horizontal"
          aria-label="Which conditions a jurisdiction has to meet"
          value={match}
          onChange={(_, { value }) => change({ type: "match", match: value === "any" ? "any" : "all" })}
        >
          <Radio value="all" label="All of them" />
          <Radio value="any" label="Any of them" />
        </RadioGroup>
      )}
      <FindRequests session={session} state={state} control={control} />
      {state.result && <FindHeaps result={state.result} columns={state.columns} />}
      {state.result && state.result.heaps.counts.yes > 0 && (
        <Drawn result={state.result} columns={state.columns} />
      )}
      {footer &&
        !state.result &&
        createPortal(<Text size={200}>Set conditions above, then choose Find.</Text>, footer)}
      {state.result && (
        <FindActions
          app={app}
          session={session}
          result={state.result}
          control={control}
          imports={imports ?? []}
          footer={footer}
          replaced={chosen.length}
          onUse={(found) => {
            used.current = found.ahjs;
            onUse({ ...found, types: questionsOf(conditions) });
          }}
        />
      )}
    </section>
  );
}

/** The pictures are drawn only while this is open; their script loads with the first one. */
function Drawn(props: ComponentProps<typeof FoundPictures>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Details title="Show as charts" onToggle={setIsOpen}>
      {isOpen && (
        <ScreenBoundary fallback={<ProgressBar aria-label="Loading" />}>
          <FoundPictures {...props} />
        </ScreenBoundary>
      )}
    </Details>
  );
}

/** The questions of the conditions, each once. */
function questionsOf(conditions: readonly ConditionDraft[]) {
  const byId = new Map(conditions.flatMap(({ type }) => (type ? [[type.id, type] as const] : [])));
  return [...byId.values()];
}

function findDraftsOf(drafts: DraftControl): FindDrafts {
  return {
    current: () => drafts.getState().find,
    subscribe: (listener) => drafts.subscribe((now, before) => listener(now.find, before.find)),
  };
}

/** The jurisdictions of an import's rows, each once, and the number of those that the service does not return. */
async function jurisdictionsOfImport(
  saved: SavedImport,
  { workbook }: Pick<PaneApp, "workbook">,
  { lookup }: Pick<Session, "lookup">,
): Promise<{ ahjs: Ahj[]; notGiven: number }> {
  const table = await createImportTables(workbook).read(saved.tableId, idHeaders(saved));
  const ids = [...new Set(importRows(saved, table).map(({ ahj }) => ahj.id))];
  const found = await identifyAhjs(ids, { ...lookup, denied: new Map() }, {});
  const ahjs = ids.flatMap((id) => {
    const ahj = found.get(id);
    return ahj && !(ahj instanceof Failure) ? [ahj] : [];
  });
  return { ahjs, notGiven: ids.length - ahjs.length };
}
