import {
  Button,
  Checkbox,
  Field,
  Input,
  Label,
  makeStyles,
  Text,
  tokens,
  useId,
} from "@fluentui/react-components";
import { useCallback, useMemo, useState } from "react";
import type { Session } from "../../../app";
import { constant, wordIn } from "../../../workbook/formula-text/argument-constants";
import { isReference } from "../../../workbook/formula-text/formula-call";
import { createPlaces } from "../../../engine/lookup/directory/places";
import { nameInFormula } from "../../../engine/lookup/directory/codes";
import { groupBy } from "../../../lists";
import { questionOptions, useTypeSearch } from "../../fill/types/use-type-search";
import { FailureMessage } from "../../ui/FailureMessage";
import { placedAhjLabel, shownName } from "../../ui/labels";
import { useLoad } from "../../ui/loading/use-load";
import { useAhjFinder } from "../../fill/jurisdictions/use-ahj-finder";
import { useCounties } from "../../fill/jurisdictions/use-counties";
import { isWorthLoading, useDirectory } from "../../fill/jurisdictions/use-directory";
import { argumentKey, argumentKind, argumentLabel, canShow } from "./argument-kinds";
import type { BuilderControl, BuilderState } from "./builder-control";
import { takesList } from "./formula-draft";
import type { KnownParameter } from "./known-functions";
import {
  ChoiceInput,
  DateInput,
  type InputProps,
  longestText,
  StateInput,
  TextInput,
  WhereInput,
  WordInput,
} from "./PlainInputs";
import { useFocusBack } from "./use-focus-back";
import { type SearchedProps, SearchInput, shownResults } from "./SearchInput";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXS },
  head: { display: "flex", alignItems: "center", justifyContent: "space-between", flexWrap: "wrap" },
  row: { display: "flex", alignItems: "center", gap: tokens.spacingHorizontalS },
  wide: { flex: 1, minWidth: 0 },
  link: {
    color: tokens.colorBrandForegroundLink,
    paddingRight: 0,
    minWidth: 0,
    // The link has a border in high contrast, so it needs padding there.
    "@media (forced-colors: active)": { paddingRight: tokens.spacingHorizontalS },
  },
  hint: { color: tokens.colorNeutralForeground3 },
});

/** One argument: chosen or typed in the way that suits its kind, or taken from cells of the sheet. */
export function ArgumentField({
  session,
  control,
  state: { draft, known, labels, pointing },
  parameter,
}: {
  session: Session;
  control: BuilderControl;
  state: BuilderState;
  parameter: KnownParameter;
}) {
  const styles = useStyles();
  const id = useId("argument");
  const key = argumentKey(known.name, parameter.name);
  const { input } = argumentKind(key);
  const label = argumentLabel(known.name, parameter.name);
  const text = draft.args[key];
  const selectCells = useFocusBack(pointing?.at === key);
  const set = (next: string | undefined) => control.set(key, next);
  if (input.of === "flag" && (text === undefined || canShow(input, text))) {
    return (
      <Checkbox
        label={label}
        checked={text === undefined || wordIn(text, ["false"]) === null}
        onChange={(_, { checked }) => set(checked === false ? "FALSE" : undefined)}
      />
    );
  }
  const isShown = input.of !== "cells" && (text === undefined || canShow(input, text));
  const props: InputProps = { id, text, set, hintId: `${id}-hint` };
  const listProps = { ...props, session, isList: takesList(parameter) };
  return (
    <div className={styles.column}>
      <div className={styles.head}>
        <Label htmlFor={id}>{label}</Label>
        <Button
          ref={selectCells}
          className={styles.link}
          size="small"
          appearance="transparent"
          aria-label={`Select cells for ${label}`}
          aria-pressed={pointing?.at === key}
          onClick={() => control.point(key)}
        >
          Select cells
        </Button>
      </div>
      {!isShown ? (
        <CellsInput
          key={text}
          id={id}
          hintId={input.of === "cells" ? props.hintId : undefined}
          text={text ?? ""}
          label={label}
          set={set}
        />
      ) : input.of === "jurisdictions" ? (
        <JurisdictionInput {...listProps} labels={labels.geoid} />
      ) : input.of === "questions" ? (
        <QuestionInput {...listProps} labels={labels.question_id} />
      ) : input.of === "categories" ? (
        <CategoryInput {...props} session={session} />
      ) : input.of === "collections" ? (
        <CollectionInput {...props} session={session} />
      ) : input.of === "states" ? (
        <StateInput {...props} />
      ) : input.of === "where" ? (
        <WhereInput {...props} />
      ) : input.of === "date" ? (
        <DateInput {...props} />
      ) : input.of === "words" ? (
        <WordInput {...props} words={input.words} />
      ) : (
        <TextInput {...props} />
      )}
      {((isShown && (input.of === "text" || input.of === "date")) || input.of === "cells") && (
        <Text id={props.hintId} size={200} className={styles.hint}>
          {parameter.description}
        </Text>
      )}
    </div>
  );
}

/** Shows an argument that is no constant: an address, which can be edited, or a calculation, which stays as it is. */
function CellsInput({
  id,
  hintId,
  text,
  label,
  set,
}: {
  id: string;
  hintId: string | undefined;
  text: string;
  label: string;
  set: (text: string | undefined) => void;
}) {
  const styles = useStyles();
  const [typed, setTyped] = useState(text);
  const isAddress = isReference(typed.trim());
  const isCells = text === "" || isReference(text);
  const isUntouched = typed === text;
  return (
    <Field
      hint={isCells ? undefined : "Calculated: stays as it is."}
      validationMessage={
        isCells && !isAddress && !isUntouched ? "Write an address, such as A2:A50." : undefined
      }
    >
      <div className={styles.row}>
        <Input
          id={id}
          aria-describedby={hintId}
          className={styles.wide}
          readOnly={!isCells}
          value={typed}
          onChange={(_, { value }) => setTyped(value)}
          onBlur={() => (isAddress ? set(typed.trim()) : setTyped(text))}
        />
        {text !== "" && (
          <Button size="small" aria-label={`Clear ${label}`} onClick={() => set(undefined)}>
            Clear
          </Button>
        )}
      </div>
    </Field>
  );
}

function QuestionInput({ session, ...props }: SearchedProps) {
  const { catalogue } = session.lookup;
  const [search, setSearch] = useState<string>();
  const isWanted = search !== undefined;
  const load = useCallback(
    async () => (isWanted ? await catalogue.types() : undefined),
    [catalogue, isWanted],
  );
  const { value: types, failure, retry } = useLoad(load);
  const found = useTypeSearch(catalogue, types, search ?? "");
  return (
    <>
      <SearchInput
        {...props}
        field={{ noun: "question", placeholder: "Permit fee", direction: "across" }}
        search={{
          hint: isWanted && !found.value && !failure ? "Loading the catalogue" : undefined,
          ...questionOptions(found),
          onSearch: setSearch,
          valueOf: ({ value }) => Promise.resolve(Number(value)),
        }}
      />
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {found.failure && <FailureMessage failure={found.failure} onRetry={found.retry} />}
    </>
  );
}

function JurisdictionInput({ session, ...props }: SearchedProps) {
  const { ahjs, hint, failure, load } = useDirectory(session);
  const places = useMemo(() => createPlaces(ahjs), [ahjs]);
  const { finder, failure: searchFailure } = useAhjFinder(ahjs, places);
  const [search, setSearch] = useState("");
  const results = useMemo(() => finder.find({ text: search }, shownResults), [finder, search]);
  const countyOf = useCounties(session, results, places);
  return (
    <>
      <SearchInput
        {...props}
        field={{ noun: "jurisdiction", placeholder: "Name", direction: "down" }}
        search={{
          hint,
          options: results.map((ahj) => ({
            value: String(ahj.id),
            label: placedAhjLabel(ahj, countyOf(ahj)),
          })),
          onSearch(text) {
            setSearch(text);
            if (isWorthLoading(text)) load();
          },
          async valueOf({ value }) {
            const ahj = results.find(({ id }) => String(id) === value);
            return ahj && nameInFormula(ahj, session.lookup.directory);
          },
        }}
      />
      {failure && <FailureMessage failure={failure} onRetry={() => load()} />}
      {searchFailure && <FailureMessage failure={searchFailure} />}
    </>
  );
}

type Props = InputProps & { session: Session };

function CategoryInput({ session, ...props }: Props) {
  const { catalogue } = session.lookup;
  const load = useCallback(() => catalogue.categories(), [catalogue]);
  return <NamedInput {...props} load={load} whenOmitted="Any" />;
}

function CollectionInput({ session, ...props }: Props) {
  const { catalogue } = session.lookup;
  const load = useCallback(() => catalogue.recentCollections(), [catalogue]);
  return <NamedInput {...props} load={load} whenOmitted="Choose a collection" />;
}

interface NamedItem {
  id: number | string;
  name: string;
}

/** A choice from a list of the service's, which is fetched when the user is about to choose. */
function NamedInput({
  load,
  ...props
}: InputProps & { load: () => Promise<readonly NamedItem[]>; whenOmitted: string }) {
  const [isWanted, setIsWanted] = useState(false);
  const loadWanted = useCallback(async () => (isWanted ? await load() : []), [isWanted, load]);
  const { value: items, failure, retry } = useLoad(loadWanted);
  const options = useMemo(() => optionsOf(items ?? []), [items]);
  return (
    <div onFocus={() => setIsWanted(true)} onPointerEnter={() => setIsWanted(true)}>
      <ChoiceInput {...props} options={options} />
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
    </div>
  );
}

/**
 * Options by name, as people read a formula. An item that shares its name, or whose name could be taken for an id or is too long for Excel,
 * goes by its id.
 */
function optionsOf(items: readonly NamedItem[]) {
  const byName = groupBy(items, ({ name }) => name);
  return items.map(({ id, name }) => {
    const isOwn = byName.get(name)?.length === 1 && !/^\s*\d*\s*$/.test(name) && name.length <= longestText;
    return { text: constant([isOwn ? name : id]), label: shownName(name) };
  });
}
