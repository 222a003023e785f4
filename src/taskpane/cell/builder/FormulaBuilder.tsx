import { config } from "../../../config";
import {
  Button,
  Checkbox,
  Field,
  Input,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Select,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Session } from "../../../app";
import { asFailure, Failure } from "../../../errors";
import {
  argumentChoices,
  joinedCitation,
  type ArgumentRole,
  formulaFunctions,
  noCitation,
} from "../../../workbook/formula-text/formula-functions";
import { nameInFormula } from "../../../workbook/formula-text/formula-name";
import type { FoundAnswer } from "../../../engine/lookup/answers/answers";
import { createPlaces } from "../../../engine/lookup/directory/places";
import { useTypeSearch } from "../../fill/types/use-type-search";
import { useAhjFinder } from "../../fill/jurisdictions/use-ahj-finder";
import { useCounties } from "../../fill/jurisdictions/use-counties";
import { useDirectory } from "../../fill/jurisdictions/use-directory";
import type { PaneApp } from "../../pane-app";
import { FailureMessage } from "../../ui/FailureMessage";
import { ahjLabel, placedAhjLabel, plural, shownName } from "../../ui/labels";
import { useLoad } from "../../ui/use-load";
import { type Target, useWriteFormula } from "../use-write-formula";
import { WriteQuestion } from "../WriteQuestion";
import { ArgumentPicker } from "./ArgumentPicker";
import {
  addressFrom,
  builderFunctions,
  type BuilderFunction,
  constant,
  constantsIn,
  emptyFormula,
  formulaState,
  type FormulaState,
  formulaText,
  isComplete,
  movedTo,
  pointsAtItself,
  typedConstant,
} from "./formula-state";
import { useLabels } from "./use-labels";
import { usePreview } from "./use-preview";

const { namespace } = config;

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  formula: { fontFamily: tokens.fontFamilyMonospace, overflowWrap: "anywhere" },
  select: { minWidth: 0 },
  result: { whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
});

const functionLabels: Record<BuilderFunction, string> = {
  VALUE: "VALUE: what is in force",
  CITATION: "CITATION: where it is written",
  MATRIX: "MATRIX: a table with names",
  CARD: "CARD: all of it in one cell",
};

const shownResults = 50;

/** Writes a formula with the user, and shows what it gives; on a cell that has one, with that one's arguments. */
export default function FormulaBuilder({
  app,
  session,
  start,
  onClose,
}: {
  app: PaneApp;
  session: Session;
  /** Where it goes, and what stands there. */
  start: { target: Target; formula: string };
  /** With where it was written, if it was. */
  onClose: (written?: Target) => void;
}) {
  const styles = useStyles();
  const opened = useMemo(
    () => (start.formula === "" ? emptyFormula : formulaState(start.formula, namespace)),
    [start.formula],
  );
  return (
    <section className={styles.column} aria-label="Formula">
      <Subtitle2>{start.formula === "" ? "Write a formula" : "Change the formula"}</Subtitle2>
      {opened ? (
        <OpenFormula app={app} session={session} start={start} opened={opened} onClose={onClose} />
      ) : (
        <>
          <Text className={styles.formula}>{start.formula}</Text>
          <MessageBar layout="multiline">
            <MessageBarBody>
              This is more than one REGDATA function that can be shown here. Change it in Excel’s formula bar.
            </MessageBarBody>
          </MessageBar>
          <div className={styles.row}>
            <Button size="small" autoFocus onClick={() => onClose()}>
              Close
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function OpenFormula({
  app,
  session,
  start,
  opened,
  onClose,
}: {
  app: PaneApp;
  session: Session;
  start: { target: Target; formula: string };
  opened: FormulaState;
  onClose: (written?: Target) => void;
}) {
  const styles = useStyles();
  const [state, setState] = useState(opened);
  const [target, setTarget] = useState(start.target);
  const [failure, setFailure] = useState<Failure>();
  const writing = useWriteFormula(app, onClose);
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const { name, args } = state;
  const roles: readonly ArgumentRole[] = formulaFunctions[name];
  const formula = formulaText(state, namespace);
  const field = choiceIn(args.field, argumentChoices.field);

  const set = (role: ArgumentRole, text: string | undefined) =>
    setState((before) => {
      const { [role]: _, ...others } = before.args;
      return { ...before, args: text === undefined ? others : { ...others, [role]: text } };
    });

  /** Where one function gives a table, more are added; elsewhere the next takes the place of the last. */
  function choose(role: "jurisdictions" | "types", value: string | number) {
    const before = constantsIn(args[role]) ?? [];
    const values = name === "MATRIX" ? [...before.filter((other) => other !== value), value] : [value];
    set(role, constant(values, role === "jurisdictions" ? "down" : "across"));
  }

  function remove(role: "jurisdictions" | "types", place: number | "all") {
    const left = (constantsIn(args[role]) ?? []).filter((_, other) => place !== "all" && other !== place);
    set(role, left.length === 0 ? undefined : constant(left, role === "jurisdictions" ? "down" : "across"));
  }

  async function point(): Promise<string | null> {
    setFailure(undefined);
    try {
      return addressFrom(target.sheetId, await app.workbook.selectedArea());
    } catch (thrown) {
      setFailure(asFailure(thrown));
      return null;
    }
  }

  async function takeSelectedCell() {
    setFailure(undefined);
    try {
      const next = await app.workbook.selectedCell(false);
      setState((before) => movedTo(next.sheetId, before, target));
      setTarget(next);
    } catch (thrown) {
      setFailure(asFailure(thrown));
    }
  }

  const labels = useLabels(session, constantsIn(args.jurisdictions) ?? [], constantsIn(args.types) ?? []);
  const isCircular = pointsAtItself(state, target);
  const canInsert = isComplete(state) && !isCircular;
  const isOwnCell = target.address === start.target.address;
  return (
    <>
      <Field label="Function">
        <Select
          ref={first}
          className={styles.select}
          value={name}
          onChange={(_, { value }) => setState({ name: value as BuilderFunction, args })}
        >
          {builderFunctions.map((known) => (
            <option key={known} value={known}>
              {functionLabels[known]}
            </option>
          ))}
        </Select>
      </Field>
      <JurisdictionArgument
        session={session}
        text={args.jurisdictions}
        onChange={(text) => set("jurisdictions", text)}
        onChoose={(value) => choose("jurisdictions", value)}
        onRemove={(place) => remove("jurisdictions", place)}
        labelOf={labels.ahj}
        onPoint={point}
      />
      <TypeArgument
        session={session}
        text={args.types}
        onChange={(text) => set("types", text)}
        onChoose={(value) => choose("types", value)}
        onRemove={(place) => remove("types", place)}
        labelOf={labels.type}
        onPoint={point}
      />
      {roles.includes("field") && <FieldArgument text={args.field} onChange={(text) => set("field", text)} />}
      {roles.includes("headers") && (
        <Checkbox
          label="With a header row"
          checked={choiceIn(args.headers, argumentChoices.headers) !== "false"}
          onChange={(_, { checked }) => set("headers", checked === false ? "FALSE" : undefined)}
        />
      )}
      {roles.includes("ifMissing") && (
        <MissingArgument text={args.ifMissing} onChange={(text) => set("ifMissing", text)} />
      )}
      <Text className={styles.formula} aria-label="The formula">
        {formula}
      </Text>
      {!isComplete(state) && <Text>Choose a jurisdiction and a type, or point at cells.</Text>}
      {isCircular && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            The formula would point at its own cell, {target.address}. Point at other cells, or insert it
            elsewhere: select a cell, then choose Use the selected cell.
          </MessageBarBody>
        </MessageBar>
      )}
      <Result
        app={app}
        session={session}
        formula={canInsert ? formula : null}
        field={name === "CITATION" ? "citation" : roles.includes("field") ? (field ?? "value") : "value"}
        sheetId={target.sheetId}
      />
      {failure && <FailureMessage failure={failure} />}
      <Text>It goes to {target.address}.</Text>
      <div className={styles.row}>
        <Button
          appearance="primary"
          disabledFocusable={!canInsert}
          onClick={() =>
            canInsert &&
            writing.write(
              { target, formula },
              isOwnCell && start.formula !== "" ? { content: start.formula } : "nothing",
            )
          }
        >
          {start.formula !== "" && isOwnCell ? "Change" : "Insert"}
        </Button>
        <Button onClick={() => void takeSelectedCell()}>Use the selected cell</Button>
        <Button onClick={() => onClose()}>Close</Button>
      </div>
      <WriteQuestion writing={writing} />
    </>
  );
}

/** Which of the choices a constant means; null where it is none of them, or calculated. */
function choiceIn<Choice extends string>(
  text: string | undefined,
  choices: readonly Choice[],
): Choice | null {
  const word = text
    ?.replace(/^"(.*)"$/, "$1")
    .trim()
    .toLowerCase();
  return choices.find((choice) => choice === word) ?? null;
}

interface ArgumentProps {
  session: Session;
  text: string | undefined;
  onChange: (text: string | undefined) => void;
  onChoose: (value: string | number) => void;
  onRemove: (place: number | "all") => void;
  labelOf: (value: string | number) => string;
  onPoint: () => Promise<string | null>;
}

function JurisdictionArgument({ session, onChoose, ...picker }: ArgumentProps) {
  const directory = useDirectory(session);
  const { ahjs, progress, failure, load } = directory;
  const places = useMemo(() => createPlaces(ahjs), [ahjs]);
  const { finder, failure: searchFailure } = useAhjFinder(ahjs, places);
  const [search, setSearch] = useState("");
  const results = useMemo(() => finder.find({ text: search }, shownResults), [finder, search]);
  const countyOf = useCounties(session, results, places);
  return (
    <>
      <ArgumentPicker
        {...picker}
        noun="jurisdiction"
        plural="jurisdictions"
        placeholder="Name, such as Alameda"
        hint={progress && `Loading ${progress.loaded.toLocaleString()} of ${progress.total.toLocaleString()}`}
        options={results.map((ahj) => ({
          value: String(ahj.id),
          text: ahjLabel(ahj),
          label: placedAhjLabel(ahj, countyOf(ahj)),
        }))}
        onSearch={(text) => {
          setSearch(text);
          if (text !== "") load();
        }}
        onChoose={({ value }) => {
          const ahj = results.find(({ id }) => String(id) === value);
          if (ahj) void nameInFormula(ahj, session.lookup.directory).then(onChoose);
        }}
      />
      {failure && <FailureMessage failure={failure} onRetry={load} />}
      {searchFailure && <FailureMessage failure={searchFailure} />}
    </>
  );
}

function TypeArgument({ session: { lookup }, onChoose, ...picker }: ArgumentProps) {
  const { catalogue } = lookup;
  const [search, setSearch] = useState<string>();
  const isWanted = search !== undefined;
  const load = useCallback(
    async () => (isWanted ? await catalogue.types() : undefined),
    [catalogue, isWanted],
  );
  const { value: types, failure, retry } = useLoad(load);
  const found = useTypeSearch(types, search ?? "");
  const results = (found.value ?? []).slice(0, shownResults);
  return (
    <>
      <ArgumentPicker
        {...picker}
        noun="type"
        plural="questions"
        placeholder="Question, such as permit fee"
        hint={isWanted && !found.value && !failure ? "Loading the catalogue" : undefined}
        options={results.map(({ id, name }) => ({ value: String(id), text: name, label: `${name} (${id})` }))}
        onSearch={setSearch}
        onChoose={({ value }) => onChoose(Number(value))}
      />
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {found.failure && <FailureMessage failure={found.failure} onRetry={found.retry} />}
    </>
  );
}

const fieldLabels: Record<(typeof argumentChoices.field)[number], string> = {
  value: "Value",
  text: "Text as published",
  reference: "Reference",
  section: "Section",
  citation: "Reference and section",
  updated_at: "Last change",
  unit: "Unit",
  question: "Name of the question",
  status: "Status",
};

function FieldArgument({
  text,
  onChange,
}: {
  text: string | undefined;
  onChange: (text: string | undefined) => void;
}) {
  const styles = useStyles();
  const chosen = text === undefined ? "value" : choiceIn(text, argumentChoices.field);
  return (
    <Field label="Show">
      <Select
        className={styles.select}
        value={chosen ?? "other"}
        onChange={(_, { value }) => onChange(value === "value" ? undefined : constant([value], "down"))}
      >
        {chosen === null && (
          <option value="other" disabled>
            {text}
          </option>
        )}
        {argumentChoices.field.map((known) => (
          <option key={known} value={known}>
            {fieldLabels[known]}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** Excel takes no longer text in a formula. */
const longestText = 255;

function MissingArgument({
  text,
  onChange,
}: {
  text: string | undefined;
  onChange: (text: string | undefined) => void;
}) {
  const values = constantsIn(text);
  const isTyped = values !== null && values.length <= 1;
  return (
    <Field
      label="Where no value is recorded, show"
      hint={isTyped ? undefined : "Calculated: stays as it is."}
    >
      <Input
        placeholder="#N/A"
        readOnly={!isTyped}
        maxLength={longestText}
        value={isTyped ? String(values[0] ?? "") : text}
        onChange={(_, { value }) => onChange(value === "" ? undefined : typedConstant(value))}
      />
    </Field>
  );
}

function Result({
  app,
  session,
  formula,
  field,
  sheetId,
}: {
  app: PaneApp;
  session: Session;
  formula: string | null;
  field: (typeof argumentChoices.field)[number];
  sheetId: string;
}) {
  const styles = useStyles();
  const { preview, failure, isAsking, ask } = usePreview(app, session, {
    formula,
    sheetId,
    isDated: field === "updated_at",
  });
  if (formula === null) return null;
  if (failure) return <FailureMessage failure={failure} />;
  if (!preview) return <Text role="status">Looking…</Text>;
  const { question, refusal, size, answer } = preview;
  if (refusal) return <FailureMessage failure={refusal} />;
  if (!size) return <Text role="status">Its result shows once it is inserted.</Text>;
  if (!question || !answer) return <Text role="status">It gives blank cells: nothing is asked.</Text>;
  const isKept = !(answer instanceof Failure) || answer.kind !== "not-asked";
  const count = size.jurisdictions * size.types;
  return (
    <div className={styles.column}>
      {count > 1 && (
        <Text>
          {plural(size.jurisdictions, "jurisdiction")} × {plural(size.types, "type")}; the first answer:
        </Text>
      )}
      {answer instanceof Failure && isKept && <FailureMessage failure={answer} />}
      {!(answer instanceof Failure) && (
        <Text role="status" className={styles.result} aria-label="Result">
          {shownField(answer, field)}
        </Text>
      )}
      {!isKept && (
        <div className={styles.row}>
          <Text role="status">Its answer was not asked for yet.</Text>
          <Button size="small" disabledFocusable={isAsking} onClick={ask}>
            Ask the service
          </Button>
        </div>
      )}
    </div>
  );
}

/** The field as it was published: formats are Excel's. */
function shownField(
  { type, cell: { value, reference, section, updatedAt } }: FoundAnswer,
  field: (typeof argumentChoices.field)[number],
): string {
  const shown: Record<typeof field, string | null> = {
    value,
    text: value,
    reference,
    section,
    citation: joinedCitation({ reference, section }) || noCitation,
    updated_at: updatedAt,
    unit: shownName(type.unit_of_measure),
    question: type.name,
    status: "ok",
  };
  return shown[field] || "empty";
}
