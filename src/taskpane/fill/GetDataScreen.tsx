import {
  Button,
  Field,
  makeStyles,
  mergeClasses,
  Radio,
  RadioGroup,
  tokens,
} from "@fluentui/react-components";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { plural, shownName } from "../ui/labels";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { OnceOpen } from "../ui/OnceOpen";
import { PaneFooter } from "../ui/PaneFooter";
import { usePaneLayout } from "../ui/pane-layout";
import {
  ahjsOfList,
  createImportSelector,
  type Draft,
  type DraftedImport,
  type ListInSheet,
  type ListInTable,
} from "./draft/draft";
import { createDraftControl, type WantedImport } from "./draft/draft-control";
import { asImportForm, formWords, type ImportForm } from "./draft/import-form";
import { ImportFooter } from "./insert/ImportFooter";
import { createImportControl, type ImportControl } from "./insert/import-control";
import { useReplaceable } from "./place/use-replaceable";
import { JurisdictionPicker } from "./jurisdictions/JurisdictionPicker";
import { useJurisdictions } from "./jurisdictions/use-jurisdictions";
import { FormStep } from "./FormStep";

// These views load only when somebody wants them: the first paint needs only the search.
const MyList = lazyView(() => import("./MyList"));
const TypePicker = lazyView(() => import("./types/TypePicker"));
const OwnColumns = lazyView(() => import("./types/OwnColumns"));
const Preview = lazyView(() => import("./insert/Preview"));
const PlaceStep = lazyView(() => import("./PlaceStep"));
const FindPanel = lazyView(() => import("./find/FindPanel"));
const FoundNote = lazyView(() => import("./find/FoundNote"));
const TemplateList = lazyView(() => import("./templates/TemplateList"));

const useStyles = makeStyles({
  // A step has its own room above and below.
  steps: { paddingTop: 0, paddingBottom: 0 },
  next: { display: "flex", justifyContent: "flex-end" },
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  start: { alignSelf: "flex-start" },
  formula: { alignSelf: "flex-start", marginTop: tokens.spacingVerticalS },
  footer: { display: "contents", "&[hidden]": { display: "none" } },
  find: {
    paddingLeft: tokens.spacingHorizontalS,
    borderLeft: `${tokens.strokeWidthThick} solid ${tokens.colorNeutralStroke1}`,
    "&[hidden]": { display: "none" },
  },
});

type StepName = "jurisdictions" | "questions" | "place" | "templates";

/** Fills the sheet with answers in steps: which places, which questions, and where in the workbook. It can also put them beside a list. */
export default function GetDataScreen({
  app,
  session,
  isShown,
  wanted,
  onControl,
  onWriteFormula,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
  wanted: WantedImport | undefined;
  /** Gets the controller of this screen's imports, whose state the other screens show too. */
  onControl: (control: ImportControl) => void;
  /** The user wants to write a formula into the selected cell. */
  onWriteFormula: () => void;
}) {
  const styles = useStyles();
  const places = usePaneLayout();
  const [control] = useState(() => createImportControl(app, session));
  useEffect(() => {
    onControl(control);
    return control.end;
  }, [control, onControl]);
  const [drafts] = useState(() => createDraftControl(app, session));
  const { change } = drafts;
  const fillInto = useCallback((into: Draft["into"]) => change({ type: "into", into }), [change]);
  const draft = useStore(drafts);
  const defaultForm = useDefaultForm(app);
  const form = draft.form ?? defaultForm;
  const [importOf] = useState(createImportSelector);
  // Only this flag is read from the state: otherwise each progress would redraw all steps.
  const isRunning = useStore(control, ({ status }) => status === "running");
  const replaced = typeof draft.place === "string" ? null : draft.place;
  const replaceable = useReplaceable(app, isShown && !isRunning, replaced);
  const drafted = importOf(draft, form, replaceable.all);
  const where = useJurisdictions(drafts.where, draft.where);
  const listed = useJurisdictions(drafts.listed, draft.listed);
  const [step, setStep] = useState<StepName | null>("jurisdictions");
  const [isFinding, setIsFinding] = useState(false);
  const [findFooter, setFindFooter] = useState<HTMLElement | null>(null);
  // While a find is open, its result is what the main button takes.
  const isFindOpen = isFinding && step === "jurisdictions" && !draft.isBeside && !isRunning;
  // A run that starts closes the open step, so that the user sees the run's progress.
  useEffect(() => {
    return control.subscribe(({ status }, before) => {
      if (status === "running" && before.status !== "running") setStep(null);
    });
  }, [control]);
  useEffect(() => {
    if (!wanted) return;
    drafts.want(wanted);
    const isOfPlaces = wanted.isSelectedList === true || (wanted.ahjs?.length ?? 0) > 0;
    setStep(wanted.again ? "place" : isOfPlaces ? "jurisdictions" : "questions");
  }, [wanted, drafts]);
  const { isBeside, questions } = draft;
  const { chosen } = draft.where;
  const { collection } = questions;
  // The last import's report disappears with the first choice for the next one.
  useEffect(() => {
    if (control.getState().status === "done") control.dismiss();
  }, [control, draft]);
  const ofList = useMemo(() => ahjsOfList(drafted.list), [drafted.list]);
  const headings = {
    jurisdictions: useRef<HTMLButtonElement>(null),
    questions: useRef<HTMLButtonElement>(null),
    place: useRef<HTMLButtonElement>(null),
    templates: useRef<HTMLButtonElement>(null),
  };
  const stepProps = (each: StepName) => ({
    isOpen: step === each,
    onToggle: () => setStep(step === each ? null : each),
    heading: headings[each],
  });
  // The heading gets the focus, because the Next button disappears with its step.
  function goTo(next: StepName) {
    headings[next].current?.focus();
    setStep(next);
  }

  return (
    <>
      <div className={mergeClasses(places.aboveFooter, styles.steps)}>
        <FormStep {...stepProps("jurisdictions")} title="Which places" summary={placesWords(draft, drafted)}>
          <Field label="The jurisdictions are">
            <RadioGroup
              layout="horizontal"
              value={isBeside ? "list" : "table"}
              onChange={(_, { value }) => change({ type: "put", isBeside: value === "list" })}
            >
              <Radio value="table" label="chosen here" />
              <Radio value="list" label="in my list" />
            </RadioGroup>
          </Field>
          {/* The part is hidden rather than left out, so that choices stay. */}
          <div hidden={isBeside}>
            <div className={styles.column}>
              <Button
                size="small"
                className={styles.start}
                aria-expanded={isFinding}
                onClick={() => setIsFinding(!isFinding)}
              >
                Filter by answers…
              </Button>
              <OnceOpen className={styles.find} isOpen={isFinding}>
                <ScreenBoundary>
                  <FindPanel
                    app={app}
                    session={session}
                    isOpen={isFinding}
                    drafts={drafts}
                    footer={findFooter}
                    onUse={(found) => {
                      drafts.where.clear();
                      change({ type: "use-found", found });
                      setIsFinding(false);
                    }}
                  />
                </ScreenBoundary>
              </OnceOpen>
              {(drafted.find || drafted.isFindChanged) && (
                <ScreenBoundary fallback={<></>}>
                  <FoundNote drafted={drafted} onForget={() => change({ type: "forget-find" })} />
                </ScreenBoundary>
              )}
              <JurisdictionPicker app={app} session={session} jurisdictions={where} />
            </div>
          </div>
          {isBeside && (
            <ScreenBoundary>
              <MyList
                session={session}
                draft={drafts}
                entries={listed}
                list={drafted.list}
                beside={drafted.beside}
              />
            </ScreenBoundary>
          )}
          <Next onClick={() => goTo("questions")}>Next: Which questions</Next>
        </FormStep>
        <FormStep
          {...stepProps("questions")}
          title="Which questions"
          summary={
            collection
              ? shownName(collection.name)
              : drafted.types.length > 0
                ? questionWords(drafted.types)
                : "Choose questions"
          }
        >
          <ScreenBoundary>
            {isInTable(drafted.list) && drafted.beside && (
              <OwnColumns
                key={drafted.list.column.address}
                {...{ app, session }}
                list={drafted.list}
                beside={drafted.beside}
                imports={replaceable.all}
                into={draft.into}
                onChange={fillInto}
              />
            )}
            <TypePicker
              app={app}
              session={session}
              chosen={questions}
              onChange={(next) => change({ type: "ask", questions: next })}
              hasCollections={!isBeside}
              hasOwnColumns={draft.into.length > 0}
            />
            {drafted.types.length > 0 && (
              <Preview
                {...{ session }}
                jobs={app.jobs}
                question={drafted.order?.question ?? null}
                form={drafted.form}
              />
            )}
          </ScreenBoundary>
          <Next onClick={() => goTo("place")}>Next: Where in the workbook</Next>
        </FormStep>
        <FormStep {...stepProps("place")} title="Where in the workbook" summary={placeWords(draft, form)}>
          {step === "place" && (
            <ScreenBoundary>
              <PlaceStep
                {...{ draft, form, drafted, replaceable, change }}
                hasNotes={app.workbook.hasNotes()}
              />
            </ScreenBoundary>
          )}
        </FormStep>
        <FormStep {...stepProps("templates")} title="Templates" summary="Ready-made sheets of formulas">
          <ScreenBoundary>
            <TemplateList app={app} session={session} ahjs={isBeside ? ofList : chosen} />
          </ScreenBoundary>
        </FormStep>
        <Button size="small" className={styles.formula} onClick={onWriteFormula}>
          Write a formula: VALUE, CITATION…
        </Button>
      </div>
      {isFindOpen && (
        <PaneFooter label="Find">
          <div ref={setFindFooter} className={styles.footer} />
        </PaneFooter>
      )}
      {/* The footer is hidden rather than left out, so that its reports stay. */}
      <div className={styles.footer} hidden={isFindOpen}>
        <ImportFooter
          {...{ app, session, control, draft, drafted, replaceable, change }}
          isStepOpen={step !== null}
          isResolving={listed.isResolving}
        />
      </div>
    </>
  );
}

function Next({ onClick, children }: { onClick: () => void; children: string }) {
  const styles = useStyles();
  return (
    <div className={styles.next}>
      <Button size="small" onClick={onClick}>
        {children}
      </Button>
    </div>
  );
}

const isInTable = (list: ListInSheet | null): list is ListInTable => Boolean(list?.column.table);

/** The choice of jurisdictions in a line. */
function placesWords({ isBeside, where: { chosen } }: Draft, { list, find }: DraftedImport): string {
  if (isBeside) return list ? `Beside ${list.column.address}` : "Choose your list";
  if (chosen.length === 0) return "Choose jurisdictions";
  return find ? `${chosen.length.toLocaleString()} that answer: ${find.words}` : ahjWords(chosen);
}

/** The choice of place and form in a line. */
function placeWords({ isBeside, place }: Draft, form: ImportForm): string {
  const places = { sheet: "a new sheet", cell: "the selected cell" };
  const placeWords = isBeside
    ? "beside my list"
    : typeof place === "string"
      ? places[place]
      : place.saved.name;
  return [placeWords, formWords(form, !isBeside)].filter((words) => words !== "").join(", ");
}

const ahjWords = ([first, ...others]: readonly { name: string; state_code: string }[]) =>
  first
    ? `${plural(others.length + 1, "jurisdiction")}: ${shownName(first.name)}, ${first.state_code}${others.length > 0 ? " …" : ""}`
    : "";

const questionWords = ([first, ...others]: readonly { name: string }[]) =>
  first
    ? `${plural(others.length + 1, "question")}: ${shownName(first.name)}${others.length > 0 ? " …" : ""}`
    : "";

/** The form of an import unless the user chooses another one for it. */
function useDefaultForm({ importDefaults, workbook }: PaneApp): ImportForm {
  const defaults = useSyncExternalStore(importDefaults.onChange, importDefaults.current);
  useEffect(() => {
    // If the defaults can't be read, an import begins with the plain form.
    importDefaults.read().catch(() => undefined);
  }, [importDefaults]);
  return useMemo(() => asImportForm(defaults, workbook.hasNotes()), [defaults, workbook]);
}
