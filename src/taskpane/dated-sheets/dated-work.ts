import type { KeylessSession, Session } from "../../app";
import { finishInTurns } from "../../async/in-turns";
import { cancelled } from "../../errors";
import { compareDated, type DifferenceKind } from "../../workbook/dated-sheets/compare-dated";
import {
  listDatedSheets,
  readDatedSheet,
  writeDatedSheet,
  type WrittenDatedSheet,
} from "../../workbook/dated-sheets/dated-sheets";
import {
  countsSentence,
  differencesSheetName,
  planDifferences,
  ruleDifferences,
} from "../../workbook/dated-sheets/differences-sheet";
import {
  type PresentDependencies,
  readPresentAnswers,
  type ShownAnswers,
} from "../../workbook/dated-sheets/present-answers";
import { createImportBook, type KeptImport } from "../../workbook/imports/saved/import-book";
import { createImportTables } from "../../workbook/sheet/tables/table-changes";
import { writeSheetNoted } from "../../workbook/work-note/noted-tables";
import type { JobTools } from "../jobs/slot";
import type { PaneApp } from "../pane-app";
import { plural, shownName } from "../ui/labels";
import type { Compared, Side } from "./compare-control";

type Tools = Pick<JobTools, "signal"> & { tell(news: Parameters<JobTools["tell"]>[0]): unknown };

/** Reads what the imports show. Only this device and the workbook are asked. */
async function readPresent(
  imports: readonly KeptImport[],
  { workbook }: Pick<PaneApp, "workbook">,
  session: Session | KeylessSession,
  { signal, tell }: Tools,
): Promise<ShownAnswers> {
  const known: PresentDependencies["known"] = session.credentials && {
    ...{ lookup: session.lookup, documents: session.documents },
    service: session.credentials.baseUrl,
  };
  const dependencies = { tables: createImportTables(workbook), book: createImportBook(workbook), known };
  const step = "Reading the imports";
  return readPresentAnswers(imports, dependencies, {
    signal,
    onRead: (done) => tell({ step, progress: { phase: step, done, total: imports.length } }),
  });
}

/**
 * Keeps what these imports show on a dated sheet. The service is not asked. If it fails or is cancelled, the workbook is as it was.
 */
export async function keepPresent(
  imports: readonly KeptImport[],
  app: Pick<PaneApp, "workbook" | "unfinished">,
  session: Session | KeylessSession,
  { isShown, ...tools }: Tools & { isShown: boolean },
): Promise<WrittenDatedSheet> {
  const present = await readPresent(imports, app, session, tools);
  const step = "Writing the dated sheet";
  const tell = (done: number) =>
    tools.tell({ step, progress: { phase: step, done, total: present.answers.length } });
  tell(0);
  return writeDatedSheet(present, app, {
    ...{ atMs: Date.now(), isShown, signal: tools.signal },
    onProgress: tell,
  });
}

export const datedSheets = ({ workbook }: Pick<PaneApp, "workbook">) =>
  listDatedSheets(createImportTables(workbook));

/** Compares what the workbook showed at two times. */
export async function compareSides(
  { before, now }: { before: Side; now: Side },
  app: PaneApp,
  session: Session | KeylessSession,
  tools: JobTools,
): Promise<Compared> {
  const notes: string[] = [];
  async function answersOf(side: Side) {
    if (tools.signal.aborted) throw cancelled;
    if (side !== "now") {
      tools.tell({ step: `Reading ${shownName(side.name)}`, progress: undefined });
      const { answers, unreadRows } = await readDatedSheet(side, createImportTables(app.workbook));
      if (unreadRows > 0)
        notes.push(
          `${plural(unreadRows, "row")} of ${shownName(side.name)} can’t be compared: they have no AHJ ID or no Question ID.`,
        );
      return answers;
    }
    const { imports } = await createImportBook(app.workbook).list();
    const { answers, unread } = await readPresent(imports, app, session, tools);
    notes.push(...unread.map(({ name, reason }) => `${shownName(name)} was left out: ${reason}.`));
    return answers;
  }
  const [earlier, later] = [await answersOf(before), await answersOf(now)];
  if (tools.signal.aborted) throw cancelled;
  const comparison = await finishInTurns(compareDated(earlier, later));
  const rulesOf = (kind: DifferenceKind) => ruleDifferences(comparison[kind]);
  const rules = {
    ...{ changed: rulesOf("changed"), cited: rulesOf("cited") },
    ...{ came: rulesOf("came"), went: rulesOf("went") },
  };
  return { comparison, rules, summary: [countsSentence(comparison, plural), ...notes].join(" ") };
}

/** Writes the differences to a new sheet. Returns its address. */
export async function writeDifferences(
  { workbook, unfinished }: Pick<PaneApp, "workbook" | "unfinished">,
  { comparison }: Compared,
): Promise<string> {
  const plan = await finishInTurns(planDifferences(comparison));
  const name = differencesSheetName(Date.now());
  return (await writeSheetNoted(unfinished, workbook, plan, { name })).address;
}
