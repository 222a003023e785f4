import {
  Button,
  Combobox,
  Field,
  Input,
  makeStyles,
  Option,
  Select,
  Text,
  tokens,
  useId,
} from "@fluentui/react-components";
import { Dismiss16Regular } from "@fluentui/react-icons";
import { useCallback, useMemo, useState } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import type { Catalogue } from "../../../engine/lookup/catalogue/catalogue";
import type { Failure } from "../../../errors";
import { allFailureKinds } from "../../../sheet-failure-kinds";
import { type AnswerColumn, textCounts } from "../../../find/answer-column";
import { type Operator, operatorLabel, operators, operatorsFor } from "../../../find/conditions/operators";
import { unitsRead } from "../../../find/readings/amount-range";
import { answerKind, foldText } from "../../../find/readings/answer-reading";
import { shownName } from "../../ui/labels";
import { useTabGuard } from "../../ui/lists/use-tab-guard";
import { QuestionSearch } from "../types/QuestionSearch";
import { isUsable, missingWords, takesDay, withOperator, withType } from "./condition-draft";
import type { ConditionDraft } from "./find-draft";

const useStyles = makeStyles({
  condition: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalXS,
    padding: tokens.spacingVerticalS,
    border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
  },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalXS },
  wide: { flex: "1 1 8rem", minWidth: 0 },
  hint: { alignSelf: "center", color: tokens.colorNeutralForeground2 },
  remove: { flexShrink: 0, minWidth: 0 },
});

/** A longer list of answers would push the condition out of sight. */
const shownAnswers = 8;
/** A workbook can't store a longer value. */
const mostCharacters = 900;

/** The fields of one condition: a question, an operator that suits its answers, and a value. */
export function ConditionFields({
  catalogue,
  draft,
  number,
  types,
  column,
  problem,
  isNew,
  onChange,
  onRemove,
}: {
  catalogue: Pick<Catalogue, "categories">;
  draft: ConditionDraft;
  /** The condition's number, counted from 1. */
  number: number;
  /** Undefined until the catalogue is loaded. */
  types: readonly DataPointType[] | undefined;
  /** The question's answers, once they are read; undefined before. */
  column: AnswerColumn | undefined;
  problem: Failure | undefined;
  /** True if the user has just added it, so that its first field gets the focus. */
  isNew: boolean;
  onChange: (draft: ConditionDraft) => void;
  onRemove: () => void;
}) {
  const styles = useStyles();
  const { type, operator } = draft;
  const kind = answerKind(type?.unit_of_measure ?? "");
  return (
    <div className={styles.condition} role="group" aria-label={`Condition ${number}`}>
      <div className={styles.row}>
        <Field
          className={styles.wide}
          validationState="none"
          validationMessage={type ? null : missingWords(draft)}
        >
          <QuestionSearch
            catalogue={catalogue}
            type={type}
            types={types}
            hasFocus={isNew}
            onType={(searchText) => !type && onChange({ ...draft, searchText })}
            onChoose={(chosen) => onChange(withType(draft, chosen))}
          />
        </Field>
        <Button
          className={styles.remove}
          appearance="subtle"
          icon={<Dismiss16Regular />}
          aria-label={`Remove condition ${number}`}
          onClick={onRemove}
        />
      </div>
      {type && (
        <div className={styles.row}>
          <div className={styles.wide}>
            <Select
              aria-label="Operator"
              value={operator}
              onChange={(_, { value }) => onChange(withOperator(draft, value as Operator))}
            >
              {operatorsFor(kind).map((each) => (
                <option key={each} value={each}>
                  {operatorLabel(each, kind)}
                </option>
              ))}
            </Select>
          </div>
          <Field
            className={styles.wide}
            validationState={problem ? "error" : "none"}
            validationMessage={
              problem ? (problem.detail ?? allFailureKinds[problem.kind].sentence) : missingWords(draft)
            }
          >
            <div className={styles.row}>
              <Operands draft={draft} column={column} onChange={onChange} />
            </div>
          </Field>
        </div>
      )}
    </div>
  );
}

function Operands({
  draft,
  column,
  onChange,
}: {
  draft: ConditionDraft;
  column: AnswerColumn | undefined;
  onChange: (draft: ConditionDraft) => void;
}) {
  const styles = useStyles();
  const { type, operator, operands } = draft;
  const [first, second] = operands;
  const { operand } = operators[operator];
  const isDay = takesDay(type, operator);
  const isOffered = useCallback((text: string) => isUsable(type, operator, text), [type, operator]);
  const hintId = useId();
  const isCompared = operand === "answer" || operand === "two-answers";
  const units = isCompared && type ? unitsRead(type.unit_of_measure) : "";
  const hint =
    operand === "age"
      ? "such as 12 months, or a day"
      : units !== ""
        ? `in ${units}`
        : operand === "answer" && !isDay && !column
          ? "After Find, you can choose an answer here."
          : "";
  const describedBy = hint === "" ? undefined : hintId;
  const shownHint = hint !== "" && (
    <Text id={hintId} size={200} className={styles.hint}>
      {hint}
    </Text>
  );
  const set = (next: readonly [string, string]) => onChange({ ...draft, operands: next });
  const plain = (label: string, value: string, setValue: (value: string) => void) => (
    <Input
      aria-label={label}
      aria-describedby={describedBy}
      type={isDay ? "date" : "text"}
      value={value}
      maxLength={mostCharacters}
      placeholder={label}
      onChange={(_, { value: typed }) => setValue(typed)}
    />
  );
  if (operand === "none") return null;
  if (operand === "two-answers") {
    return (
      <>
        <div className={styles.wide}>{plain("From", first, (value) => set([value, second]))}</div>
        <div className={styles.wide}>{plain("To", second, (value) => set([first, value]))}</div>
        {shownHint}
      </>
    );
  }
  return (
    <>
      <div className={styles.wide}>
        {operand === "answer" && !isDay ? (
          <AnswerSearch
            text={first}
            column={column}
            isOffered={isOffered}
            describedBy={describedBy}
            onChange={(value) => set([value, second])}
          />
        ) : (
          plain("Value", first, (value) => set([value, second]))
        )}
      </div>
      {shownHint}
    </>
  );
}

/**
 * A field for a value. Once the answers are read, it offers those that the operator can use, with their counts, while the user types or if
 * the user opens the list. A click into the text opens nothing, because the list covers what stands below.
 */
function AnswerSearch({
  text,
  column,
  isOffered,
  describedBy,
  onChange,
}: {
  text: string;
  column: AnswerColumn | undefined;
  isOffered: (text: string) => boolean;
  describedBy: string | undefined;
  onChange: (text: string) => void;
}) {
  const tab = useTabGuard();
  const [isOpen, setIsOpen] = useState(false);
  const counts = useMemo(() => (column ? textCounts(column) : []), [column]);
  const results = useMemo(() => {
    const wanted = foldText(text);
    const offered: typeof counts = [];
    for (const each of counts) {
      if (offered.length > shownAnswers) break;
      if (foldText(each.text).includes(wanted) && isOffered(each.text)) offered.push(each);
    }
    return offered;
  }, [counts, text, isOffered]);
  return (
    <Combobox
      aria-label="Value"
      aria-describedby={describedBy}
      freeform
      placeholder="Value"
      maxLength={mostCharacters}
      value={text}
      selectedOptions={[text]}
      open={isOpen}
      onOpenChange={(event, { open }) => {
        const isClick = event.type === "click" && event.target instanceof HTMLInputElement;
        if (!open || !isClick) setIsOpen(open);
      }}
      // A list without answers would only cover what is said about the value.
      listbox={results.length === 0 ? null : {}}
      expandIcon={column ? {} : null}
      onInput={({ currentTarget: { value } }) => {
        tab.noteTyping();
        onChange(value);
      }}
      onKeyDown={tab.noteKey}
      onOptionSelect={({ type }, { optionValue }) => {
        if (optionValue === undefined || (type === "keydown" && !tab.isLookingDown())) return;
        onChange(optionValue);
      }}
    >
      {results.slice(0, shownAnswers).map((each) => (
        <Option key={each.text} value={each.text} text={each.text}>
          {`${shownName(each.text)} (${each.count.toLocaleString()})`}
        </Option>
      ))}
      {results.length > shownAnswers && (
        <Option disabled text="">
          Type more of the answer to see others
        </Option>
      )}
    </Combobox>
  );
}
