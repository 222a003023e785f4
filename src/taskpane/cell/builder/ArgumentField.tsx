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
import { useState } from "react";
import type { Session } from "../../../app";
import { wordIn } from "../../../workbook/formula-text/argument-constants";
import { isReference } from "../../../workbook/formula-text/formula-call";
import { argumentKey, argumentKind, argumentLabel, canShow } from "./argument-kinds";
import type { BuilderControl, BuilderState } from "./builder-control";
import { CategoryInput, CollectionInput } from "./CatalogueInputs";
import { takesList } from "./formula-draft";
import { JurisdictionInput } from "./JurisdictionInput";
import type { KnownParameter } from "./known-functions";
import { DateInput, type InputProps, StateInput, TextInput, WhereInput, WordInput } from "./PlainInputs";
import { QuestionInput } from "./QuestionInput";
import { useFocusBack } from "./use-focus-back";

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
