import type { Session } from "../../app";
import { finishInTurns } from "../../async/in-turns";
import { config } from "../../config";
import { createRequestBudget } from "../../engine/transport/request-budget";
import { createImportBook } from "../../workbook/imports/saved/import-book";
import { spills } from "../../workbook/sheet/excel-api";
import { createImportTables } from "../../workbook/sheet/tables/table-changes";
import { lookUpUses } from "../../workbook/uses/look-up-uses";
import { type BookUses, namesIn, planUses } from "../../workbook/uses/plan-uses";
import { readUses } from "../../workbook/uses/read-uses";
import { usesSentences } from "../../workbook/uses/use-lines";
import { planUsesSheet } from "../../workbook/uses/uses-sheet";
import { writeSheetNoted } from "../../workbook/work-note/noted-tables";
import type { JobTools } from "../jobs/slot";
import type { PaneApp } from "../pane-app";
import { plural } from "../ui/labels";
import type { UsesSeen } from "./uses-control";

/** Reads what the workbook uses and looks it up, in at most as many requests as the add-in sends by itself unless `isUnbounded`. */
export async function lookForUses(
  { workbook, hasExcelApi }: PaneApp,
  session: Session | null,
  { signal, tell }: JobTools,
  isUnbounded: boolean,
): Promise<UsesSeen> {
  const dependencies = {
    ...{ workbook, tables: createImportTables(workbook), book: createImportBook(workbook) },
    ...{ namespace: config.namespace, canSeeSpills: hasExcelApi(spills) },
  };
  const read = await readUses(dependencies, {
    signal,
    onStep: (step, progress) => tell({ step, progress }),
  });
  tell({ step: "Looking up places and questions", progress: undefined });
  const budget = isUnbounded
    ? undefined
    : createRequestBudget(config.findRequests, "Choose Look up the rest.");
  const looked =
    session &&
    (await lookUpUses(namesIn(read), session.lookup, {
      ...{ signal, budget },
      onWait: (waitingUntilMs) => tell({ waitingUntilMs }),
    }));
  const uses = await finishInTurns(planUses(read, looked));
  const isAny = uses.places.length + uses.questions.length > 0;
  const sentences = [
    ...usesSentences(uses, plural),
    ...(isAny && !session ? ["Connect to look up whether codes are gone."] : []),
  ];
  return { uses, summary: sentences.join(" ") };
}

/** Writes the list of uses to a new sheet. Returns its address. */
export async function writeUses({ workbook, unfinished }: PaneApp, uses: BookUses): Promise<string> {
  const { address } = await writeSheetNoted(unfinished, workbook, planUsesSheet(uses), { name: "Uses" });
  return address;
}
