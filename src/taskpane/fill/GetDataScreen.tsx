import {
  Button,
  Field,
  makeStyles,
  mergeClasses,
  Radio,
  RadioGroup,
  tokens,
} from "@fluentui/react-components";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { plural, shownName } from "../ui/labels";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { OnceOpen } from "../ui/OnceOpen";
import { usePaneLayout } from "../ui/pane-layout";
import { ahjsOfList, createImportSelector, type Draft, type DraftedImport } from "./draft/draft";
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
const HowStep = lazyView(() => import("./HowStep"));
const FindPanel = lazyView(() => import("./find/FindPanel"));
const FoundNote = lazyView(() => import("./find/FoundNote"));
const TemplateList = lazyView(() => import("./templates/TemplateList"));

const useStyles = makeStyles({
  // A step has its own room above and below.
  steps: { paddingTop: 0, paddingBottom: 0 },
  next: { display: "flex", justifyContent: "flex-end" },
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  start: { alignSelf: "flex-start" },
  find: {
    paddingLeft: tokens.spacingHorizontalS,
    borderLeft: `${tokens.strokeWidthThick} solid ${tokens.colorNeutralStroke1}`,
    "&[hidden]": { display: "none" },
  },
});

type StepName = "where" | "what" | "how" | "templates";

/** Fills the sheet with answers in steps: where, what and how. It can also put them beside a list in the sheet. */
export default function GetDataScreen({
  app,
  session,
  isShown,
  wanted,
  onControl,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
  wanted: WantedImport | undefined;
  /** Gets the controller of this screen's imports, whose state the other screens show too. */
  onControl: (control: ImportControl) => void;
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
  const draft = useStore(drafts);
  const defaultForm = useDefaultForm(app);
  const form = draft.form ?? defaultForm;
  const [importOf] = useState(createImportSelector);
  const drafted = importOf(draft, form);
  const where = useJurisdictions(drafts.where, draft.where);
  const listed = useJurisdictions(drafts.listed, draft.listed);
  const [step, setStep] = useState<StepName | null>("where");
  const [isFinding, setIsFinding] = useState(false);
  // Only this flag is read from the state: otherwise each progress would redraw all steps.
  const isRunning = useStore(control, ({ status }) => status === "running");
  const replaced = typeof draft.place === "string" ? null : draft.place;
  const replaceable = useReplaceable(app, isShown && !isRunning, replaced);
  // A run that starts closes the open step, so that the user sees the run's progress.
  useEffect(() => {
    return control.subscribe(({ status }, before) => {
      if (status === "running" && before.status !== "running") setStep(null);
    });
  }, [control]);
  useEffect(() => {
    if (!wanted) return;
    drafts.want(wanted);
    setStep(wanted.again ? "how" : wanted.ahjs?.length ? "where" : "what");
  }, [wanted, drafts]);
  const { isBeside, questions } = draft;
  const { chosen } = draft.where;
  const { types, collection } = questions;
  // The last import's report disappears when the user chooses for the next one.
  useEffect(() => {
    if (control.getState().status === "done") control.dismiss();
  }, [control, chosen, types, collection]);
  const ofList = useMemo(() => ahjsOfList(drafted.list), [drafted.list]);
  const headings = {
    where: useRef<HTMLButtonElement>(null),
    what: useRef<HTMLButtonElement>(null),
    how: useRef<HTMLButtonElement>(null),
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
        <FormStep {...stepProps("where")} title="Where" summary={whereWords(draft, drafted)}>
          <Field label="Put the answers">
            <RadioGroup
              layout="horizontal"
              value={isBeside ? "list" : "table"}
              onChange={(_, { value }) => change({ type: "put", isBeside: value === "list" })}
            >
              <Radio value="table" label="in a new table" />
              <Radio value="list" label="beside my list" />
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
                Only those that answer…
              </Button>
              <OnceOpen className={styles.find} isOpen={isFinding}>
                <ScreenBoundary>
                  <FindPanel
                    app={app}
                    session={session}
                    isOpen={isFinding}
                    drafts={drafts}
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
          <Next onClick={() => goTo("what")}>Next: What</Next>
        </FormStep>
        <FormStep
          {...stepProps("what")}
          title="What"
          summary={
            collection ? shownName(collection.name) : types.length > 0 ? whatWords(types) : "Choose questions"
          }
        >
          <ScreenBoundary>
            <TypePicker
              app={app}
              session={session}
              chosen={questions}
              onChange={(next) => change({ type: "ask", questions: next })}
              hasCollections={!isBeside}
            />
          </ScreenBoundary>
          <Next onClick={() => goTo("how")}>Next: How</Next>
        </FormStep>
        <FormStep {...stepProps("how")} title="How" summary={howWords(draft, form)}>
          {step === "how" && (
            <ScreenBoundary>
              <HowStep
                {...{ session, draft, form, drafted, replaceable, change }}
                jobs={app.jobs}
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
      </div>
      <ImportFooter {...{ session, control, draft, drafted, replaceable, change }} jobs={app.jobs} />
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

/** The choice of jurisdictions in a line. */
function whereWords({ isBeside, where: { chosen } }: Draft, { list, find }: DraftedImport): string {
  if (isBeside) return list ? `Beside ${list.column.address}` : "Choose your list";
  if (chosen.length === 0) return "Choose jurisdictions";
  return find ? `${chosen.length.toLocaleString()} that answer: ${find.words}` : ahjWords(chosen);
}

/** The choice of place and form in a line. */
function howWords({ isBeside, place }: Draft, form: ImportForm): string {
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

const whatWords = ([first, ...others]: readonly { name: string }[]) =>
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
