import { useCallback, useEffect, useMemo, useState } from "react";
import type { Session } from "../../app";
import type { Ahj, DataPointType } from "../../api/schemas";
import { asFailure, Failure } from "../../errors";
import { type CellSource, sourceOf } from "../../imports/cell-source";
import { createImportBook } from "../../imports/import-book";
import type { FoundAnswer } from "../../lookup/answers";
import type { AskOptions } from "../../lookup/lookup";
import type { SelectedCell } from "../../sheet/selected-cell";
import type { PaneApp } from "../pane-app";

/** All that is known of the answer that a cell shows. */
export interface CellFacts {
  cell: SelectedCell;
  /** Null where the cell shows no answer. */
  source: CellSource | null;
  ahj: Ahj | null;
  type: DataPointType | null;
  /** The answer, or why there is none. */
  answer: FoundAnswer | Failure | null;
}

export interface InspectedCell {
  facts: CellFacts | undefined;
  failure: Failure | undefined;
  isAsking: boolean;
  /** Asks the service for what is not kept, such as the date of the last change. */
  ask(): void;
  reload(): void;
}

/** Of the manifest. */
const namespace = "REGDATA";
/** Without it, a cell that a result spills into can't be told from one with a value of its own. */
const spills = "1.12";
const pauseMs = 150;

/** Follows the selection, and tells what is kept of each cell's answer: nothing is asked of the service. */
export function useCell(app: PaneApp, session: Session, isShown: boolean): InspectedCell {
  const { workbook } = app;
  const book = useMemo(() => createImportBook(workbook), [workbook]);
  const [facts, setFacts] = useState<CellFacts>();
  const [failure, setFailure] = useState<Failure>();
  const [isAsking, setIsAsking] = useState(false);

  const look = useCallback(
    async (options: AskOptions & { dated?: boolean }): Promise<CellFacts> => {
      const cell = await workbook.selectedCell(app.hasExcelApi(spills));
      const { imports } = await book.list();
      const source = await sourceOf(cell, { namespace, workbook, imports });
      if (!source) return { cell, source, ahj: null, type: null, answer: null };
      const { question } = source;
      const { dated, ...rest } = options;
      const wants = { questions: [question], ahjs: [question.ahj], types: [question.type], dated };
      const found = await session.lookup.ask(wants, rest);
      const [ahj] = found.ahjs;
      return {
        cell,
        source,
        ahj: ahj && !(ahj instanceof Failure) ? ahj : null,
        type: found.types[0] ?? null,
        answer: found.values[0] ?? null,
      };
    },
    [app, book, session, workbook],
  );

  const reload = useCallback(() => {
    setFailure(undefined);
    look({ keptOnly: true }).then(setFacts, (thrown: unknown) => {
      setFacts(undefined);
      setFailure(asFailure(thrown, "sheet-refused"));
    });
  }, [look]);

  useEffect(() => {
    if (!isShown) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    // Whoever runs through cells with the arrow keys need not wait for each.
    const follow = () => {
      clearTimeout(timer);
      timer = setTimeout(reload, pauseMs);
    };
    reload();
    workbook.onSelection(follow).then(
      (unsubscribe) => {
        stop = unsubscribe;
        if (isOver) unsubscribe();
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [isShown, reload, workbook]);

  const ask = () => {
    setFailure(undefined);
    setIsAsking(true);
    look({ dated: true })
      .then(setFacts, (thrown: unknown) => setFailure(asFailure(thrown, "unexpected-answer")))
      .finally(() => setIsAsking(false));
  };

  return { facts, failure, isAsking, ask, reload };
}
