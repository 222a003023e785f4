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
import type { Ahj, DataPointType } from "../../engine/api/schemas";
import type { ImportQuestion } from "../../workbook/imports/run/import-types";
import { importName } from "../../workbook/imports/saved/import-name";
import type { TableForm } from "../../workbook/sheet/layout/table-plan";
import type { PaneApp } from "../pane-app";
import { plural, shownName } from "../ui/labels";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { usePaneLayout } from "../ui/pane-layout";
import { readJurisdictions } from "./jurisdictions/list/read-jurisdictions";
import { asImportForm, formWords, type ImportForm } from "./insert/import-form";
import { type Choice, ImportFooter } from "./insert/ImportFooter";
import { createImportControl, type ImportControl } from "./insert/import-control";
import type { NewPlace } from "./place/PlacePicker";
import { useReplaceable } from "./place/use-replaceable";
import { useFound } from "./find/use-found";
import { JurisdictionPicker } from "./jurisdictions/JurisdictionPicker";
import { useJurisdictions } from "./jurisdictions/use-jurisdictions";
import { useList } from "./jurisdictions/use-list";
import { ahjsOfList, orderOfList, questionOfList } from "./list-question";
import { FormStep } from "./FormStep";
import { afterChoice, afterFind, nothingAsked, withWanted } from "./types/asked-questions";

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

/** The data that another screen wants. Each wish is a new object. */
export interface WantedImport {
  ahjs?: readonly Ahj[];
  types?: readonly DataPointType[];
  /** An import to insert again: it takes the place of the current choices. */
  again?: { name: string; entries: readonly string[] };
}

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
  const [step, setStep] = useState<StepName | null>("where");
  const [isWhatSeen, setIsWhatSeen] = useState(false);
  if (step === "what" && !isWhatSeen) setIsWhatSeen(true);
  const [areTemplatesSeen, setAreTemplatesSeen] = useState(false);
  if (step === "templates" && !areTemplatesSeen) setAreTemplatesSeen(true);
  const [isBeside, setIsBeside] = useState(false);
  const jurisdictions = useJurisdictions(session);
  const found = useFound(jurisdictions);
  const [find, setFind] = useState<"unseen" | "open" | "closed">("unseen");
  const list = useList(app, session);
  const [questions, setQuestions] = useState(nothingAsked);
  const [choices, setChoices] = useImportForm(app);
  const [place, setPlace] = useState<NewPlace>("sheet");
  const [name, setName] = useState("");
  // Only this flag is read from the state: otherwise each progress would redraw all three steps.
  const isRunning = useStore(control, ({ status }) => status === "running");
  const replaceable = useReplaceable(app, isShown && !isRunning);
  // A run that starts closes the open step, so that the user sees the run's progress.
  useEffect(() => {
    return control.subscribe(({ status }, before) => {
      if (status === "running" && before.status !== "running") setStep(null);
    });
  }, [control]);

  const { chosen, lastState, add, clear, addList } = jurisdictions;
  const { living, forget } = found;
  useEffect(() => {
    if (!wanted) return;
    const { ahjs = [], types: more = [], again } = wanted;
    if (again) {
      forget();
      clear();
      const { list, resolve } = readJurisdictions({ text: again.entries.join("\n") }, session);
      void addList(list, resolve);
      setIsBeside(false);
      setQuestions(withWanted(nothingAsked, more));
      setName(again.name);
      setStep("how");
      return;
    }
    if (ahjs.length > 0) {
      add(ahjs);
      setIsBeside(false);
    }
    if (more.length > 0) setQuestions((before) => withWanted(before, more));
    setStep(ahjs.length > 0 ? "where" : "what");
  }, [wanted, add, clear, addList, forget, session]);
  const { types, collection } = questions;
  // The last import's report disappears when the user chooses for the next one.
  useEffect(() => {
    if (control.getState().status === "done") control.dismiss();
  }, [control, chosen, types, collection]);
  const { layout, citations, hasDates, hasCertainty, makesTable } = choices;
  const beside = useMemo(
    () => (list.list ? orderOfList(list.list, makesTable) : null),
    [list.list, makesTable],
  );
  const ofList = useMemo(() => ahjsOfList(list.list), [list.list]);
  const isAsking = list.entries.questions.length > 0;
  const question = useMemo<ImportQuestion | null>(() => {
    if (isBeside) return list.list && !isAsking ? questionOfList(list.list, types) : null;
    if (chosen.length === 0) return null;
    if (collection) return { kind: "collection", ahjs: chosen, collection };
    return types.length > 0 ? { kind: "matrix", ahjs: chosen, types, find: living?.find } : null;
  }, [isBeside, list.list, isAsking, chosen, types, collection, living]);
  const form = useMemo<TableForm>(
    () => ({
      layout: isBeside ? "wide" : layout,
      hasCitations: citations === "beside",
      hasNotes: citations === "notes",
      hasDates,
      hasCertainty: isBeside && hasCertainty,
    }),
    [isBeside, layout, citations, hasDates, hasCertainty],
  );
  const defaultName = useMemo(
    () => (question ? importName({ ahjs: question.ahjs, ofState: lastState, types, collection }) : ""),
    [question, lastState, types, collection],
  );
  const choice: Choice = {
    question,
    missing:
      isBeside && list.list && isAsking && types.length > 0
        ? "Choose which places your list means, above."
        : missingWords(isBeside ? list.list !== null : chosen.length > 0, types.length > 0, isBeside),
    types,
    form,
    hasSources: citations === "sheet",
    name: name.trim() === "" ? defaultName : name.trim(),
    unmatched: (isBeside ? list.entries : jurisdictions).unmatched,
    isBeside,
    beside: isBeside ? (beside ?? undefined) : undefined,
  };
  const placeWords = isBeside
    ? "beside my list"
    : (replaceable.kept?.saved.name ?? (place === "sheet" ? "a new sheet" : "the selected cell"));
  const howWords = [placeWords, formWords(choices, !isBeside)].filter((words) => words !== "").join(", ");
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
        <FormStep
          {...stepProps("where")}
          title="Where"
          summary={
            isBeside
              ? list.list
                ? `Beside ${list.list.column.address}`
                : "Choose your list"
              : chosen.length > 0
                ? living
                  ? `${chosen.length.toLocaleString()} that answer: ${living.words}`
                  : whereWords(chosen)
                : "Choose jurisdictions"
          }
        >
          <Field label="Put the answers">
            <RadioGroup
              layout="horizontal"
              value={isBeside ? "list" : "table"}
              onChange={(_, { value }) => setIsBeside(value === "list")}
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
                aria-expanded={find === "open"}
                onClick={() => setFind(find === "open" ? "closed" : "open")}
              >
                Only those that answer…
              </Button>
              {find !== "unseen" && (
                <div className={styles.find} hidden={find === "closed"}>
                  <ScreenBoundary>
                    <FindPanel
                      app={app}
                      session={session}
                      isOpen={find === "open"}
                      chosen={chosen}
                      onUse={(those) => {
                        found.use(those);
                        setQuestions((before) => afterFind(before, those.types));
                        setFind("closed");
                      }}
                    />
                  </ScreenBoundary>
                </div>
              )}
              {(living || found.isChanged) && (
                <ScreenBoundary fallback={<></>}>
                  <FoundNote found={found} />
                </ScreenBoundary>
              )}
              <JurisdictionPicker app={app} session={session} jurisdictions={jurisdictions} />
            </div>
          </div>
          {isBeside && (
            <ScreenBoundary>
              <MyList session={session} reader={list} beside={beside} />
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
          {isWhatSeen && (
            <ScreenBoundary>
              <TypePicker
                app={app}
                session={session}
                chosen={questions}
                onChange={(next) => setQuestions((before) => afterChoice(before, next))}
                hasCollections={!isBeside}
              />
            </ScreenBoundary>
          )}
          <Next onClick={() => goTo("how")}>Next: How</Next>
        </FormStep>
        <FormStep {...stepProps("how")} title="How" summary={howWords}>
          {step === "how" && (
            <ScreenBoundary>
              <HowStep
                isInTable={beside !== null && beside.list.table !== null}
                {...{ session, isBeside, place, replaceable, choices, name, defaultName, question, form }}
                hasNotes={app.workbook.hasNotes()}
                onPlace={setPlace}
                onChoices={setChoices}
                onName={setName}
              />
            </ScreenBoundary>
          )}
        </FormStep>
        <FormStep {...stepProps("templates")} title="Templates" summary="Ready-made sheets of formulas">
          {areTemplatesSeen && (
            <ScreenBoundary>
              <TemplateList app={app} session={session} ahjs={isBeside ? ofList : chosen} />
            </ScreenBoundary>
          )}
        </FormStep>
      </div>
      <ImportFooter
        session={session}
        jobs={app.jobs}
        control={control}
        choice={choice}
        place={place}
        replaceable={replaceable}
      />
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

function missingWords(hasPlaces: boolean, hasQuestions: boolean, isBeside: boolean): string {
  const places = isBeside ? "your list" : "jurisdictions";
  if (!hasPlaces && !hasQuestions) return `Choose ${places} and questions.`;
  if (!hasPlaces) return `Choose ${places}.`;
  return hasQuestions ? "" : "Choose questions.";
}

const whereWords = ([first, ...others]: readonly { name: string; state_code: string }[]) =>
  first
    ? `${plural(others.length + 1, "jurisdiction")}: ${shownName(first.name)}, ${first.state_code}${others.length > 0 ? " …" : ""}`
    : "";

const whatWords = ([first, ...others]: readonly { name: string }[]) =>
  first
    ? `${plural(others.length + 1, "question")}: ${shownName(first.name)}${others.length > 0 ? " …" : ""}`
    : "";

/** The form of an import: the user's defaults, until the user chooses another one for it. */
function useImportForm({ importDefaults, workbook }: PaneApp) {
  const defaults = useSyncExternalStore(importDefaults.onChange, importDefaults.current);
  const [chosen, setChosen] = useState<ImportForm>();
  useEffect(() => {
    // If the defaults can't be read, an import begins with the plain form.
    importDefaults.read().catch(() => undefined);
  }, [importDefaults]);
  return [chosen ?? asImportForm(defaults, workbook.hasNotes()), setChosen] as const;
}
