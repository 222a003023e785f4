import {
  Button,
  Combobox,
  Field,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Select,
  tokens,
} from "@fluentui/react-components";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import type { PaneApp } from "../../pane-app";
import type { ResolvedList, UnmatchedEntry } from "../../../engine/lookup/lists/resolve-list";
import { kindWords, usualKinds } from "../../../engine/lookup/directory/kind-words";
import { createPlaces, type Places } from "../../../engine/lookup/directory/places";
import { stateCodes } from "../../../engine/lookup/directory/states";
import { FailureMessage } from "../../ui/FailureMessage";
import { lazyView } from "../../ui/loading/lazy-view";
import { ScreenBoundary } from "../../ui/loading/ScreenBoundary";
import { ChosenTags } from "../../ui/lists/ChosenTags";
import { SearchOptions } from "../../ui/lists/SearchOptions";
import { ahjLabel, fullAhjLabel, placedAhjLabel, plural, shownName } from "../../ui/labels";
import { LookUp } from "./LookUp";
import { NameQuestions } from "./NameQuestions";
import { PastedList } from "./PastedList";
import { type GivenList, readJurisdictions } from "./list/read-jurisdictions";
import { useAhjFinder } from "./use-ahj-finder";
import { useCounties } from "./use-counties";
import { isWorthLoading, type ShownDirectory, useDirectory } from "./use-directory";
import type { Jurisdictions } from "./use-jurisdictions";

// Loads later, so that the first search is possible sooner.
const Territories = lazyView(() => import("./Territories"));
const ListAtAGlance = lazyView(() => import("./list/ListAtAGlance"));

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  half: { flex: "1 1 7rem" },
});

/** The number of results that the list can draw within 50 ms of a key press. */
const shownResults = 15;
const any = "";
const nothing: readonly Ahj[] = [];
const noEntries: readonly UnmatchedEntry[] = [];

/** Chooses jurisdictions by search, by state, from a pasted list, or from the selected cells. */
export function JurisdictionPicker({
  app,
  session,
  jurisdictions,
  isForMore = false,
}: {
  app: PaneApp;
  session: Session;
  jurisdictions: Jurisdictions;
  /** True if they are added to an import that has jurisdictions already, so that the last import's are not offered. */
  isForMore?: boolean;
}) {
  const styles = useStyles();
  const [isPasting, setIsPasting] = useState(false);
  const [pasted, setPasted] = useState("");
  // The entries of the last pasted list that gave no jurisdiction. The field holds them, to be corrected.
  const [givenBack, setGivenBack] = useState<readonly UnmatchedEntry[]>(noEntries);
  const [state, setState] = useState<string>();
  const [kind, setKind] = useState<string>();
  const directory = useDirectory(session);
  const places = useMemo(() => createPlaces(directory.ahjs), [directory.ahjs]);
  const selectedCells = useRef<HTMLButtonElement>(null);
  const { chosen, isResolving } = jurisdictions;
  const tags = useMemo(() => tagsOf(chosen), [chosen]);

  function addList(given: GivenList): Promise<ResolvedList | null> {
    // Names are looked for in the whole directory; its progress is shown beside the search.
    const options = { state, onNames: () => directory.load() };
    const { list, resolve } = readJurisdictions(given, session, options);
    return jurisdictions.addList(list, resolve);
  }

  async function addPasted() {
    jurisdictions.change({ type: "give-again", keys: givenBack.map(({ key }) => key) });
    const outcome = await addList({ text: pasted });
    if (!outcome) return;
    const { unmatched } = outcome;
    setGivenBack(unmatched);
    setPasted(unmatched.map(({ given }) => given).join("\n"));
    setIsPasting(unmatched.length > 0);
  }

  return (
    <section className={styles.column} aria-label="Jurisdictions">
      <SearchField
        session={session}
        directory={directory}
        places={places}
        {...{ state, kind }}
        onChoose={(ahj) => jurisdictions.change({ type: "add", ahjs: [ahj] })}
      />
      <Narrowing
        directory={directory}
        {...{ state, kind }}
        onState={setState}
        onKind={setKind}
        isBusy={isResolving}
        onAdd={(code) => void jurisdictions.addState(code, kind)}
      />
      <div className={styles.row}>
        <Button size="small" aria-expanded={isPasting} onClick={() => setIsPasting((before) => !before)}>
          Paste a list
        </Button>
        <Button
          ref={selectedCells}
          size="small"
          onClick={() => void addList({ cellsOf: app.workbook })}
          disabledFocusable={isResolving}
        >
          Use selected cells
        </Button>
      </div>
      {isPasting && (
        <div className={styles.column}>
          <PastedList text={pasted} onChange={setPasted} />
          <div className={styles.row}>
            <Button
              size="small"
              disabledFocusable={pasted.trim() === "" || isResolving}
              onClick={() => void addPasted()}
            >
              Add the list
            </Button>
          </div>
        </div>
      )}
      <LookUp state={jurisdictions.lookUp} cancel={jurisdictions.cancel} />
      <NameQuestions
        session={session}
        jurisdictions={jurisdictions}
        places={places}
        onDone={() => selectedCells.current?.focus()}
      />
      <ScreenBoundary fallback={<></>}>
        <ListAtAGlance jurisdictions={jurisdictions} />
      </ScreenBoundary>
      <ChosenTags
        noun="jurisdiction"
        items={tags}
        onRemove={(ahjId) => jurisdictions.change({ type: "remove", ahjId })}
        onClear={jurisdictions.clear}
        canClear={chosen.length + jurisdictions.unmatched.length + jurisdictions.questions.length > 0}
      />
      <ScreenBoundary fallback={<></>}>
        <Territories
          app={app}
          chosen={chosen}
          isBusy={isResolving}
          offersLast={!isForMore}
          onAdd={(entries) => void addList({ text: entries.join("\n") })}
        />
      </ScreenBoundary>
    </section>
  );
}

/** Jurisdictions that share name and state with another get a label that tells them apart. */
function tagsOf(chosen: readonly Ahj[]): { id: number; label: string }[] {
  const counts = new Map<string, number>();
  for (const ahj of chosen) counts.set(ahjLabel(ahj), (counts.get(ahjLabel(ahj)) ?? 0) + 1);
  return chosen.map((ahj) => {
    const label = ahjLabel(ahj);
    return { id: ahj.id, label: counts.get(label) === 1 ? label : fullAhjLabel(ahj) };
  });
}

function SearchField({
  session,
  directory: { ahjs, hasAll, hint, failure, missing, load },
  places,
  state,
  kind,
  onChoose,
}: {
  session: Session;
  directory: ShownDirectory;
  places: Places;
  state: string | undefined;
  kind: string | undefined;
  onChoose: (ahj: Ahj) => void;
}) {
  const [text, setText] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const { finder, failure: searchFailure } = useAhjFinder(ahjs, places);
  const results = useMemo(
    () => finder.find({ text, state, kind }, shownResults),
    [finder, text, state, kind],
  );
  const countyOf = useCounties(session, isOpen && text !== "" ? results : nothing, places);
  const isWorthIt = isWorthLoading(text, state);
  useEffect(() => {
    if (isWorthIt) load(state);
  }, [isWorthIt, load, state]);

  return (
    <>
      <Field
        label="Search jurisdictions"
        hint={hint ?? (failure ? undefined : "Type two letters, or choose a state.")}
      >
        <Combobox
          freeform
          placeholder="Name"
          value={text}
          selectedOptions={[]}
          // An empty list would only cover the failure below it.
          open={isOpen && !(failure && results.length === 0)}
          onInput={(event) => setText(event.currentTarget.value)}
          onOpenChange={(_, { open }) => setIsOpen(open)}
          onOptionSelect={(_, { optionValue }) => {
            const ahj = results.find((result) => String(result.id) === optionValue);
            if (ahj) onChoose(ahj);
            setText("");
          }}
        >
          <SearchOptions
            options={results.map((ahj) => ({
              value: String(ahj.id),
              label: placedAhjLabel(ahj, countyOf(ahj)),
            }))}
            heading={headingOf(results.length, text, hasAll(state))}
          />
        </Combobox>
      </Field>
      {failure && <FailureMessage failure={failure} onRetry={() => load(state)} />}
      {searchFailure && <FailureMessage failure={searchFailure} />}
      {missing > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            The service counts {plural(missing, "jurisdiction")} that it does not list. If one is not found
            here, paste its geoID.
          </MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}

/** The heading of the results; undefined if there is nothing to say about them. */
function headingOf(results: number, text: string, isComplete: boolean): string | undefined {
  if (results === shownResults) return "Type more of the name to see others";
  if (results > 0) return undefined;
  if (text === "") return "Type a name, or choose a state";
  if (isComplete) return "Nothing found";
  return isWorthLoading(text) ? "Nothing found yet" : "Type another letter, or choose a state";
}

/** Narrows the search to a state and a type, and adds all jurisdictions that are left. */
function Narrowing({
  directory: { ahjs, isWhole, hasAll },
  state,
  kind,
  onState,
  onKind,
  isBusy,
  onAdd,
}: {
  directory: ShownDirectory;
  state: string | undefined;
  kind: string | undefined;
  onState: (state: string | undefined) => void;
  onKind: (kind: string | undefined) => void;
  isBusy: boolean;
  onAdd: (state: string) => void;
}) {
  const styles = useStyles();
  // Until the directory is loaded, any state may have jurisdictions.
  const states = useMemo(
    () =>
      [
        ...new Set([...(isWhole ? ahjs.map((ahj) => ahj.state_code) : stateCodes), state ?? []].flat()),
      ].sort(),
    [ahjs, isWhole, state],
  );
  const stateNames = useMemo(
    () => new Map(ahjs.filter(({ type }) => type === "state").map((ahj) => [ahj.state_code, ahj.name])),
    [ahjs],
  );
  const kinds = useMemo(
    () => [...new Set([...(isWhole ? ahjs.map(({ type }) => type) : usualKinds), kind ?? []].flat())].sort(),
    [ahjs, isWhole, kind],
  );
  const isComplete = hasAll(state);
  const count = useMemo(
    () =>
      isComplete
        ? ahjs.filter((ahj) => ahj.state_code === state && (kind === undefined || ahj.type === kind)).length
        : undefined,
    [ahjs, isComplete, state, kind],
  );
  return (
    <>
      <div className={styles.row}>
        <Field label="State" className={styles.half}>
          <Select
            value={state ?? any}
            onChange={(_, { value }) => onState(value === any ? undefined : value)}
          >
            <option value={any}>Any</option>
            {states.map((code) => (
              <option key={code} value={code}>
                {stateNames.has(code) ? `${code} · ${shownName(stateNames.get(code) ?? "")}` : code}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Kind" className={styles.half}>
          <Select value={kind ?? any} onChange={(_, { value }) => onKind(value === any ? undefined : value)}>
            <option value={any}>Any</option>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {shownName(each)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {state !== undefined && (
        <div className={styles.row}>
          <Button size="small" disabledFocusable={isBusy} onClick={() => onAdd(state)}>
            Add {count === undefined ? "all" : `all ${count.toLocaleString()}`} {shownName(kindWords(kind))}{" "}
            of {state}
          </Button>
        </div>
      )}
    </>
  );
}
