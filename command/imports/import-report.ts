import { config } from "../../src/config";
import { allFailureKinds } from "../../src/sheet-failure-kinds";
import type { Ahj } from "../../src/engine/api/schemas";
import { fullAhjLabel, oldAnswersSentence, shownName } from "../../src/taskpane/ui/labels";
import type { MissingAhj } from "../../src/workbook/imports/files/csv-file";
import { answerParts } from "../../src/workbook/sheet/layout/answer-parts";
import type { ImportReport, LongText } from "../../src/workbook/imports/run/import-types";
import { printableLine } from "../output/printable";
import { correctionLine } from "../../src/engine/lookup/lists/list-summary";
import type { NamedJurisdictions } from "./where";
import { counted } from "../output/counted";

/** Everything that was asked for and is missing from an import. */
export interface Lacking extends Pick<NamedJurisdictions, "notFound" | "corrections"> {
  /** The number of jurisdictions that the service counts and does not list. */
  notListed: number;
  /** Null for a CSV file, which the service made itself. */
  report: ImportReport | null;
  longTexts?: readonly LongText[];
  /** Set for a CSV file only; null if the file does not show whose rows it holds. */
  missing?: readonly MissingAhj[] | null;
  /** The number of a CSV file's cells that begin like a formula. */
  formulaLike?: number;
}

/** A list of the report, printed as text or as a property of `--json`. */
interface ReportList {
  name: string;
  title: string;
  lines: string[];
}

/** The number of a list's lines that are printed; `--json` has all. */
const mostLines = 10;

/** Lines that name everything missing from the file, and remarks that the user should read. */
export function lackingText(lacking: Lacking): string[] {
  return [
    ...listsOf(lacking).flatMap(({ title, lines }) => [
      `  ${title}`,
      ...lines.slice(0, mostLines).map((line) => `    ${printableLine(line)}`),
      ...(lines.length > mostLines
        ? [`    and ${(lines.length - mostLines).toLocaleString("en-US")} more; --json lists all`]
        : []),
    ]),
    ...remarksOf(lacking).map((remark) => `  ${remark}`),
  ];
}

/** The same for `--json`, as lists by their names. */
export function lackingJson(lacking: Lacking): { remarks: string[]; [list: string]: string[] } {
  return {
    ...Object.fromEntries(listsOf(lacking).map(({ name, lines }) => [name, lines])),
    remarks: remarksOf(lacking),
  };
}

function listsOf({ notFound, corrections, report, longTexts = [], missing }: Lacking): ReportList[] {
  const ahjs = (name: string, title: string, all: readonly Ahj[]) =>
    list(name, `${title}: ${counted(all.length, "jurisdiction")}`, all.map(fullAhjLabel));
  const without = report?.withoutValue ?? [];
  const cells = without.reduce((sum, each) => sum + each.ahjs.length, 0);
  return [
    list(
      "notFound",
      `Not found: ${counted(notFound.length, "entry").replace(/entrys$/, "entries")}`,
      notFound.map(({ entry, why }) => `${entry}: ${why}`),
    ),
    list(
      "corrected",
      `Corrected: ${corrections.map(({ title }) => title).join("; ")}`,
      corrections.flatMap(({ entries }) => entries.map(correctionLine)),
    ),
    list(
      "leftOut",
      `Left out: ${counted(report?.leftOut.length ?? 0, "jurisdiction")}`,
      (report?.leftOut ?? []).map(
        ({ ahj, kind }) => `${fullAhjLabel(ahj)}: ${allFailureKinds[kind].sentence}`,
      ),
    ),
    ahjs("notReceived", "Not received", report?.notRead ?? []),
    list(
      "unknownQuestions",
      `Unknown: ${counted(report?.unknownTypes.length ?? 0, "question")}`,
      (report?.unknownTypes ?? []).map(({ id, name }) => `${shownName(name)} (${id})`),
    ),
    list(
      "withoutValue",
      `Without a value: ${counted(cells, "cell")}`,
      without.map(
        (each) =>
          `${shownName(each.type.name)} (${each.type.id}), ${each.ahjs.length.toLocaleString("en-US")} without: ${namesOf(each.ahjs)}`,
      ),
    ),
    list(
      "cut",
      `Cut at ${config.cellCharacters.toLocaleString("en-US")} characters: ${counted(longTexts.length, "text")}`,
      longTexts.map(
        ({ ahj, type, part }) => `${fullAhjLabel(ahj)}, ${shownName(type.name)}, ${answerParts[part].noun}`,
      ),
    ),
    list(
      "notInFile",
      `Not in the file: ${counted(missing?.length ?? 0, "jurisdiction")}`,
      (missing ?? []).map(({ ahj, among }) =>
        among
          ? `${fullAhjLabel(ahj)}: perhaps; ${among.came} of ${among.asked} with this name came`
          : fullAhjLabel(ahj),
      ),
    ),
  ].filter(({ lines }) => lines.length > 0);
}

function namesOf(ahjs: readonly Ahj[]): string {
  return ahjs.map(fullAhjLabel).join("; ");
}

function list(name: string, title: string, lines: string[]): ReportList {
  return { name, title, lines };
}

function remarksOf({ notListed, report, missing, formulaLike = 0 }: Lacking): string[] {
  return [
    ...(notListed > 0
      ? [`The service counts ${counted(notListed, "jurisdiction")} that it does not list.`]
      : []),
    ...(report?.oldAnswers ? [oldAnswersSentence(report.oldAnswers)] : []),
    ...((report?.missingValues ?? 0) > 0
      ? [
          `The service's list changed while it was read, and ${counted(report?.missingValues ?? 0, "value")} did not come. Run it again.`,
        ]
      : []),
    ...(missing === null
      ? ["The file does not say which jurisdictions its rows are about, so missing ones can't be listed."]
      : []),
    ...(formulaLike > 0
      ? [
          `${counted(formulaLike, "cell")} ${formulaLike === 1 ? "begins" : "begin"} with =, +, -, @, a tab or a return. A spreadsheet may read such a text as a formula when it opens the file.`,
        ]
      : []),
  ];
}
