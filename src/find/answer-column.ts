import { type AnswerReading, readAnswer } from "./readings/answer-reading";
import { type Absence, absences, absenceByCode } from "../engine/absence";

/**
 * The answers of many jurisdictions to one question. Each different text is held and read once, so that a condition tests thirty thousand
 * jurisdictions in a few milliseconds.
 */
export interface AnswerColumn {
  type: { id: number; name: string; unit_of_measure: string };
  /** For each jurisdiction the index of its text in `texts`, or a number from `absentCode`. */
  codes: Uint32Array;
  texts: readonly string[];
  readings: readonly AnswerReading[];
  /** The time of each answer's last change, NaN if it is not known; undefined if the times were not asked for. */
  updatedMs: Float64Array | undefined;
}

/** Why a jurisdiction has no text in a column: the service's reason, or that it has given no answer at all. */
export type Absent = Absence | "not-answered";

const firstAbsent = 0xffff_ff00;
const notAnswered = 0xffff_ffff;

function absentCode(absent: Absent): number {
  return absent === "not-answered" ? notAnswered : firstAbsent + absences[absent].code;
}

/** Why there is no text, by a code that is not an index of `texts`. */
export function absentOf(code: number): Absent {
  return absenceByCode[code - firstAbsent] ?? "not-answered";
}

/** One jurisdiction's answer, or the reason why there is none. */
export type ColumnEntry = { text: string; updatedMs?: number } | { absent: Absent };

/** The published text of the jurisdiction at a place; undefined if it has none. */
export function textAt({ codes, texts }: AnswerColumn, place: number): string | undefined {
  return texts[codes[place] ?? notAnswered];
}

/** Fills a column, jurisdiction by jurisdiction. */
export function createAnswerColumn(type: AnswerColumn["type"], length: number, isDated: boolean) {
  const codes = new Uint32Array(length).fill(notAnswered);
  const updatedMs = isDated ? new Float64Array(length).fill(NaN) : undefined;
  const texts: string[] = [];
  const readings: AnswerReading[] = [];
  const codeOf = new Map<string, number>();
  const column: AnswerColumn = { type, codes, texts, readings, updatedMs };
  return {
    column,
    set(place: number, entry: ColumnEntry) {
      if ("absent" in entry) return void (codes[place] = absentCode(entry.absent));
      let code = codeOf.get(entry.text);
      if (code === undefined) {
        codeOf.set(entry.text, (code = texts.push(entry.text) - 1));
        readings.push(readAnswer(entry.text, type.unit_of_measure));
      }
      codes[place] = code;
      if (updatedMs && entry.updatedMs !== undefined) updatedMs[place] = entry.updatedMs;
    },
  };
}

/** The texts that occur in a column, the commonest first; texts that differ only in case and blanks are one. */
export function textCounts({ codes, texts, readings }: AnswerColumn): { text: string; count: number }[] {
  const counts = new Map<string, { text: string; count: number }>();
  const ofCode = texts.map((text, code) => {
    const folded = readings[code]?.folded ?? text;
    const entry = counts.get(folded) ?? { text, count: 0 };
    counts.set(folded, entry);
    return entry;
  });
  for (const code of codes) {
    const entry = ofCode[code];
    if (entry) entry.count += 1;
  }
  return [...counts.values()].sort(
    (one, other) => other.count - one.count || compareTexts(one.text, other.text),
  );
}

const { compare: compareTexts } = new Intl.Collator("en", { numeric: true });
