import {
  Button,
  Combobox,
  Field,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Option,
  Select,
  Text,
  Textarea,
  tokens,
} from "@fluentui/react-components";
import { useMemo, useState } from "react";
import type { Ahj } from "../../api/schemas";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { asFailure, type Failure } from "../../errors";
import { parseGeoidCells, parsePastedGeoids } from "../../lookup/geoid";
import { searchAhjs } from "../../lookup/search";
import { FailureMessage } from "../ui/FailureMessage";
import { ChosenTags } from "../ui/ChosenTags";
import { ahjLabel, plural, waitingForLimit } from "../ui/labels";
import { UnmatchedGeoids } from "./UnmatchedGeoids";
import { type Jurisdictions, useDirectory } from "./use-jurisdictions";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  narrow: { minWidth: 0, width: "100%" },
});

const shownResults = 50;
const allStates = "All states";

/** Chooses jurisdictions: by search, from a pasted list, from the selected cells. */
export function JurisdictionPicker({
  app,
  session,
  jurisdictions,
}: {
  app: PaneApp;
  session: Session;
  jurisdictions: Jurisdictions;
}) {
  const styles = useStyles();
  const [isPasting, setIsPasting] = useState(false);
  const [list, setList] = useState("");
  const [failure, setFailure] = useState<Failure>();

  async function takeSelectedCells() {
    setFailure(undefined);
    try {
      const cells = await app.workbook.selectedValues();
      await jurisdictions.addList(parseGeoidCells(cells));
    } catch (thrown) {
      setFailure(asFailure(thrown, "sheet-refused"));
    }
  }

  async function addPasted() {
    if (!(await jurisdictions.addList(parsePastedGeoids(list)))) return;
    setList("");
    setIsPasting(false);
  }

  return (
    <section className={styles.column} aria-label="Jurisdictions">
      <SearchField session={session} onChoose={jurisdictions.add} />
      <div className={styles.row}>
        <Button size="small" aria-expanded={isPasting} onClick={() => setIsPasting((before) => !before)}>
          Paste a list
        </Button>
        <Button size="small" onClick={() => void takeSelectedCells()} disabled={jurisdictions.isResolving}>
          Take selected cells
        </Button>
      </div>
      {isPasting && (
        <div className={styles.column}>
          <Field label="geoIDs, one a line" hint="Lost leading zeros come back.">
            <Textarea rows={4} value={list} onChange={(_, { value }) => setList(value)} />
          </Field>
          <div className={styles.row}>
            <Button
              size="small"
              appearance="primary"
              disabled={list.trim() === "" || jurisdictions.isResolving}
              onClick={() => void addPasted()}
            >
              Add the list
            </Button>
          </div>
        </div>
      )}
      {jurisdictions.isResolving && (
        <Text role="status">
          {jurisdictions.waitingUntilMs === undefined
            ? "Looking the geoIDs up…"
            : waitingForLimit(jurisdictions.waitingUntilMs)}
        </Text>
      )}
      {jurisdictions.isResolving && (
        <div className={styles.row}>
          <Button size="small" onClick={jurisdictions.cancel}>
            Cancel
          </Button>
        </div>
      )}
      {failure && <FailureMessage failure={failure} />}
      {jurisdictions.failure && <FailureMessage failure={jurisdictions.failure} />}
      <UnmatchedGeoids jurisdictions={jurisdictions} />
      <ChosenTags
        noun="jurisdiction"
        items={jurisdictions.chosen.map((ahj) => ({ id: ahj.id, label: ahjLabel(ahj) }))}
        onRemove={jurisdictions.remove}
        onClear={jurisdictions.clear}
        canClear={jurisdictions.chosen.length + jurisdictions.unmatched.length > 0}
      />
    </section>
  );
}

function SearchField({ session, onChoose }: { session: Session; onChoose: (ahj: Ahj) => void }) {
  const styles = useStyles();
  const [text, setText] = useState("");
  const [state, setState] = useState(allStates);
  const { ahjs, progress, failure, missing, load } = useDirectory(session);
  const states = useMemo(() => [...new Set(ahjs.map((ahj) => ahj.state_code))].sort(), [ahjs]);
  const results = useMemo(
    () => searchAhjs(ahjs, { text, state: state === allStates ? undefined : state }, shownResults),
    [ahjs, text, state],
  );

  return (
    <>
      <Field
        label="Search jurisdictions"
        hint={progress && `Loading ${progress.loaded.toLocaleString()} of ${progress.total.toLocaleString()}`}
      >
        <Combobox
          className={styles.narrow}
          freeform
          placeholder="Name, such as Alameda"
          value={text}
          selectedOptions={[]}
          onFocus={load}
          onInput={(event) => setText(event.currentTarget.value)}
          onOptionSelect={(_, { optionValue }) => {
            const ahj = results.find((result) => String(result.id) === optionValue);
            if (ahj) onChoose(ahj);
            setText("");
          }}
        >
          {results.map((ahj) => (
            <Option key={ahj.id} value={String(ahj.id)} text={ahjLabel(ahj)}>
              {`${ahjLabel(ahj)} · ${ahj.type}${ahj.geoid === null ? "" : ` · ${ahj.geoid}`}`}
            </Option>
          ))}
          {results.length === 0 && (
            <Option disabled text="">
              {text === "" ? "Type a name, or choose a state" : "Nothing found"}
            </Option>
          )}
        </Combobox>
      </Field>
      <Field label="In state">
        <Select value={state} onFocus={load} onChange={(_, { value }) => setState(value)}>
          {[allStates, ...states].map((code) => (
            <option key={code}>{code}</option>
          ))}
        </Select>
      </Field>
      {failure && <FailureMessage failure={failure} onRetry={load} />}
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
