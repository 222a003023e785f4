import { Button, Field, makeStyles, Select, tokens } from "@fluentui/react-components";
import { useMemo, useRef, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import type { Places } from "../../../engine/lookup/directory/places";
import { fullAhjLabel, placedAhjLabel, plural, shownName } from "../../ui/labels";
import { useAttention } from "../../ui/use-attention";
import { onlyGuess } from "./jurisdiction-choice";
import { NameList } from "./NameList";
import { useCounties } from "./use-counties";
import type { Jurisdictions } from "./use-jurisdictions";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

const none: readonly Ahj[] = [];

/** The only jurisdiction of a list; undefined if there are none or several. */
const only = ([ahj, ...others]: readonly Ahj[]) => (others.length === 0 ? ahj : undefined);

/** Asks about names one after another: which jurisdiction a name means if several have it, or if none has it but some are close. */
export function NameQuestions({
  session,
  jurisdictions: { questions, change },
  places,
  onDone,
}: {
  session: Session;
  jurisdictions: Pick<Jurisdictions, "questions" | "change">;
  places: Places;
  /** Called after the last answer: the buttons disappear, and the focus has to go somewhere before. */
  onDone: () => void;
}) {
  const styles = useStyles();
  const [question] = questions;
  const candidates = question?.candidates ?? none;
  const countyOf = useCounties(session, candidates, places);
  const [choice, setChoice] = useState({ key: "", ahjId: "" });
  const section = useRef<HTMLElement>(null);
  useAttention(section, question?.key);
  const chosen = useMemo(() => {
    if (choice.key !== question?.key) return question?.guess && only(candidates);
    return candidates.find(({ id }) => String(id) === choice.ahjId);
  }, [candidates, choice, question]);
  if (!question) return null;

  const answer = (ahj: Ahj | null) => {
    if (questions.length === 1) onDone();
    change({ type: "settle", question, ahj });
  };
  const more = questions.length - 1;
  const guesses = questions.filter((each) => onlyGuess(each) !== undefined);
  const name = shownName(question.name);
  return (
    <section ref={section} className={styles.column} aria-label="Names to decide about">
      <Field
        label={
          question.guess
            ? `“${name}” was not found. Did you mean ${candidates.length === 1 ? "this" : "one of these"}?`
            : `Which “${name}”? ${candidates.length.toLocaleString()} have this name.`
        }
        hint={more > 0 ? `${plural(more, "more name")} to choose for` : undefined}
      >
        <Select
          value={chosen ? String(chosen.id) : ""}
          onChange={(_, { value }) => setChoice({ key: question.key, ahjId: value })}
        >
          <option value="" disabled hidden>
            Choose one
          </option>
          {candidates.map((ahj) => (
            <option key={ahj.id} value={ahj.id}>
              {placedAhjLabel(ahj, countyOf(ahj))}
            </option>
          ))}
        </Select>
      </Field>
      <div className={styles.row}>
        <Button size="small" disabledFocusable={!chosen} onClick={() => chosen && answer(chosen)}>
          Add this one
        </Button>
        {guesses.length > 1 && (
          <Button
            size="small"
            onClick={() => {
              if (guesses.length === questions.length) onDone();
              change({ type: "settle-guesses" });
            }}
          >
            Add all {guesses.length.toLocaleString()} suggestions
          </Button>
        )}
        <Button size="small" onClick={() => answer(null)}>
          Skip
        </Button>
        {more > 0 && (
          <Button
            size="small"
            onClick={() => {
              onDone();
              change({ type: "skip-questions" });
            }}
          >
            Skip all {questions.length.toLocaleString()}
          </Button>
        )}
      </div>
      {guesses.length > 1 && (
        <NameList
          title={`${guesses.length.toLocaleString()} names with one suggestion each`}
          lines={() =>
            guesses.map((each) => {
              const guessed = onlyGuess(each);
              return `${shownName(each.name)} → ${guessed ? fullAhjLabel(guessed) : ""}`;
            })
          }
        />
      )}
    </section>
  );
}
