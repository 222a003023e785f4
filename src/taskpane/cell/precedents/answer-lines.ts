import { leavesBlank } from "../../../engine/absence";
import { Failure } from "../../../errors";
import type { AnswerLine } from "../../../workbook/precedents/precedent-lines";
import type { SelectedCell } from "../../../workbook/sheet/cells/selected-cell";
import { isNoValue } from "../../../workbook/sheet/layout/no-value";
import { isError } from "../../../workbook/sheet/values/shown-value";
import { failureWords } from "../facts/answer-summary";
import { type AnswerFacts, isShownBy } from "../facts/cell-facts";

/** An answer in a cell as the list has it, by what is known of it. */
export function answerLine(cell: SelectedCell, facts: AnswerFacts): AnswerLine {
  const { source, ahj, type, row, answer } = facts;
  const held = answer instanceof Failure ? undefined : answer?.cell;
  const { sheetId, row: rowOfSheet, column, address, text } = cell;
  const { ahj: ahjName, type: typeName } = source.question ?? {};
  const ofImport = source.from.kind === "import";
  return {
    address,
    place: { sheetId, row: rowOfSheet, column },
    jurisdiction: ahj
      ? [ahj.name, ahj.state_code].filter((part) => part !== "").join(", ")
      : (row?.jurisdiction ?? String(ahjName ?? "")),
    ahjId: ahj?.id ?? row?.ahjId ?? (typeof ahjName === "number" ? ahjName : null),
    question: type?.name ?? row?.question?.name ?? String(typeName ?? ""),
    typeId: type?.id ?? row?.question?.id ?? (typeof typeName === "number" ? typeName : null),
    value: held?.value ?? row?.value ?? (ofImport ? text : ""),
    reference: held ? held.reference : (row?.reference ?? null),
    section: held ? held.section : (row?.section ?? null),
    updatedAt: held ? held.updatedAt : (row?.updated ?? null),
    fetchedAtMs: held ? held.fetchedAtMs : (row?.retrieved ?? null),
    ...standingOf(cell, facts),
  };
}

const cited = "The citation is what the workbook says.";

function standingOf(cell: SelectedCell, facts: AnswerFacts): Pick<AnswerLine, "standing" | "why"> {
  const { source, row, answer } = facts;
  const { refusal, from } = source;
  if (refusal) return { standing: "missing", why: refusal.message };
  const isBlank = from.kind === "import" && isNoValue(cell.value, "value", from.kept.saved.form);
  if (answer === null || (answer instanceof Failure && isUnheld(answer))) {
    if (isBlank) return { standing: "missing", why: "" };
    return { standing: "unheld", why: row?.reference || row?.section ? cited : "" };
  }
  if (answer instanceof Failure) {
    const isTyped = from.kind === "import" && leavesBlank(answer.kind) && !isBlank;
    if (isTyped) return { standing: "differs", why: `The service has no value. ${shownWords(cell)}` };
    const why = failureWords(answer);
    return {
      standing: "missing",
      why: leavesBlank(answer.kind) ? "" : `${why[0]?.toUpperCase()}${why.slice(1)}`,
    };
  }
  if (isError(cell.value) || (showsValue(facts) && !isShownBy(cell, facts)))
    return { standing: "differs", why: shownWords(cell) };
  return { standing: answer.isOld ? "old" : "current", why: "" };
}

const isUnheld = ({ kind }: Failure) => kind === "not-asked" || kind === "no-key";

const mostCharacters = 60;

function shownWords({ text }: SelectedCell): string {
  if (text === "") return "The cell is blank.";
  return `The cell shows “${text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text}”.`;
}

/** The number of arguments up to which a function gives values alone, and no other part of an answer. */
const valueArguments: Partial<Record<string, number>> = { VALUE: 2, MATRIX: 3 };

/** True if the cell is to show the answer's value as it is: an import's, or the result of a call that is the whole formula. */
function showsValue({ source: { from } }: AnswerFacts): boolean {
  if (from.kind === "import") return true;
  const { name, args, isWhole } = from.call;
  return isWhole && args.length <= (valueArguments[name] ?? -1);
}
