import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Session } from "../../app";
import type { Ahj, DataPointType } from "../../engine/api/schemas";
import { config } from "../../config";
import { asFailure, Failure, isUnavailable } from "../../errors";
import { pending } from "../../workbook/cell-formulas/settle";
import { type CellSource, sourceOf } from "../../workbook/imports/sources/cell-source";
import { createDigestBook } from "../../workbook/imports/saved/digest-book";
import { createImportBook, type ImportBook, type KeptImport } from "../../workbook/imports/saved/import-book";
import { type AnswerChange, askAnew, changeOf } from "../../workbook/imports/refresh/refresh-cell";
import { refreshCellNoted } from "../../workbook/unfinished/noted-refresh";
import type { FoundAnswer } from "../../engine/lookup/answers/answers";
import type { AskOptions } from "../../engine/lookup/lookup";
import type { SelectedCell, TableRowHere } from "../../workbook/sheet/cells/selected-cell";
import { spills } from "../../workbook/sheet/excel-api";
import { isError } from "../../workbook/sheet/values/shown-value";
import { createImportTables } from "../../workbook/sheet/tables/table-changes";
import type { CellPosition } from "../../workbook/sheet/workbook";
import { serviceDetail } from "../ui/labels";
import type { PaneApp } from "../pane-app";

/** All that is known of the answer that a cell shows. */
export interface CellFacts {
  cell: SelectedCell;
  /** Null where the cell shows nothing of the add-in's. */
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
  /** What asking anew has brought to the cell on show. */
  change: AnswerChange | undefined;
  /** Asks the service for this answer anew, with the date of its last change, and brings the cell up to date. */
  refresh(): void;
  /** Shows the cell whose formula spills here. */
  goToFormula(): void;
  reload(): void;
}

const pauseMs = 150;
const lookAgainMs = 1_000;
/** How often a formula that is being calculated is looked at, before the pane shows what there is. */
const mostLooks = 30;
/** Calculating does not make Excel look again for the function; entering does. */
const unknownFunction = "#NAME?";

/** Follows the selection, and tells what is kept of each cell's answer: nothing is asked of the service. */
export function useCell(app: PaneApp, session: Session, isShown: boolean): InspectedCell {
  const { workbook } = app;
  const book = useMemo(() => createImportBook(workbook), [workbook]);
  const imports = useRef(createKnownImports(book));
  const [facts, setFacts] = useState<CellFacts>();
  const [failure, setFailure] = useState<Failure>();
  const [isAsking, setIsAsking] = useState(false);
  const [change, setChange] = useState<AnswerChange>();
  /** Which look is the latest: an earlier one that comes later is dropped. */
  const looks = useRef(0);

  const look = useCallback(
    async (options: AskOptions & { dated?: boolean }): Promise<CellFacts> => {
      const cell = await workbook.selectedCell(app.hasExcelApi(spills));
      const source = await sourceOf(cell, {
        namespace: config.namespace,
        workbook,
        importOf: imports.current.of,
      });
      const { dated, ...rest } = options;
      const question = source?.question;
      if (!question) {
        const name = isError(cell.value) ? source?.name : undefined;
        const [found] = name ? (await session.lookup.ask({ names: [name] }, rest)).names : [];
        return { cell, source, ahj: null, type: null, answer: found instanceof Failure ? found : null };
      }
      const wants = { questions: [question], ahjs: [question.ahj], types: [question.type], dated };
      const found = await session.lookup.ask(wants, rest);
      const [ahj] = found.ahjs;
      const [answer = null] = found.values;
      const isNotAsked = answer instanceof Failure && answer.kind === "not-asked";
      return {
        cell,
        source,
        ahj: ahj && !(ahj instanceof Failure) ? ahj : null,
        type: found.types[0] ?? null,
        answer: (isNotAsked && session.lookup.lastFailure(question)) || answer,
      };
    },
    [app, session, workbook],
  );

  const reload = useCallback(() => {
    const number = (looks.current += 1);
    setFailure(undefined);
    look({ keptOnly: true }).then(
      (next) => {
        if (number === looks.current) setFacts(next);
      },
      (thrown: unknown) => {
        if (number !== looks.current) return;
        setFacts(undefined);
        setFailure(asFailure(thrown));
      },
    );
  }, [look]);

  useEffect(() => {
    if (!isShown) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    // Whoever runs through cells with the arrow keys need not wait for each.
    const follow = () => {
      clearTimeout(timer);
      setChange(undefined);
      timer = setTimeout(reload, pauseMs);
    };
    imports.current = createKnownImports(book);
    setChange(undefined);
    reload();
    workbook.onSelection(follow).then(
      (unsubscribe) => {
        stop = unsubscribe;
        if (isOver) unsubscribe();
        // Cells may have been selected between the first look and the registration.
        else reload();
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [isShown, reload, book, workbook]);

  // While a formula waits, its cell is looked at again.
  useEffect(() => {
    if (!isShown || facts?.cell.value !== pending) return;
    const timer = setTimeout(reload, lookAgainMs);
    return () => clearTimeout(timer);
  }, [facts, isShown, reload]);

  function act(work: () => Promise<unknown>) {
    setFailure(undefined);
    setIsAsking(true);
    work()
      .catch((thrown: unknown) => setFailure(asFailure(thrown)))
      .finally(() => setIsAsking(false));
  }

  /** Shows what there is now; false where the user has gone on to another cell meanwhile. */
  function show(next: CellFacts, { cell }: CellFacts): boolean {
    const isSameCell = next.cell.address === cell.address;
    if (isSameCell) setFacts(next);
    return isSameCell;
  }

  async function refresh(shown: CellFacts) {
    const { from } = shown.source ?? {};
    const isImport = from?.kind === "import";
    const changed = await (isImport ? refreshImported(shown, from.kept) : refreshFormula(shown));
    const next = await (isImport ? look({ keptOnly: true }) : lookOnceCalculated(shown));
    if (!show(next, shown)) return;
    setChange(changed);
    // A matrix does not tell when its values were changed.
    const isDated = next.answer instanceof Failure || next.answer?.cell.updatedAt !== null;
    if (next.answer && !isDated) show(await look({ dated: true }), shown);
  }

  async function refreshImported({ source, answer }: CellFacts, { saved }: KeptImport) {
    if (saved.service !== session.credentials.baseUrl) {
      throw new Failure("other-service", { detail: serviceDetail(saved.service) });
    }
    const [ahjId, typeId] = [Number(source?.question?.ahj), Number(source?.question?.type)];
    const { lookup, documents } = session;
    return refreshCellNoted(app.unfinished, saved, { ahjId, typeId }, answer, {
      tables: createImportTables(workbook),
      lookup,
      documents,
      digests: createDigestBook(workbook),
    });
  }

  /** Where it is not known who is asked, the formula itself asks. */
  async function refreshFormula({ cell, source, ahj, type, answer }: CellFacts) {
    const { ahj: ahjName, type: typeName } = source?.question ?? {};
    const ahjId = typeof ahjName === "number" ? ahjName : ahj?.id;
    const typeId = typeof typeName === "number" ? typeName : type?.id;
    let changed: AnswerChange | undefined;
    if (ahjId !== undefined && typeId !== undefined) {
      try {
        changed = changeOf(answer, await askAnew({ ahjId, typeId }, answer, session.lookup));
      } catch (thrown) {
        // What the service says of the question, the formula shows; where it could not be asked, the old value stays.
        if (isUnavailable(asFailure(thrown))) throw thrown;
      }
    }
    const anchor = anchorOf(cell);
    if (cell.value === unknownFunction) {
      // Should something else stand there by now, the cell is looked at again, and shows it.
      await workbook.writeFormula(anchor, cell.formula, { content: cell.formula });
    } else {
      await workbook.calculateCell(anchor);
    }
    return changed;
  }

  /** While a formula is calculated its cell waits, and nothing spills from it; when it begins, Excel does not tell. */
  async function lookOnceCalculated({ cell: { address, formula } }: CellFacts): Promise<CellFacts> {
    for (let looked = 1; ; looked += 1) {
      await session.lookup.moment(Math.min(pauseMs * looked, lookAgainMs));
      const next = await look({ keptOnly: true });
      const isCalculated = next.cell.formula === formula && next.cell.value !== pending;
      if (isCalculated || next.cell.address !== address || looked === mostLooks) return next;
    }
  }

  return {
    facts,
    failure,
    isAsking,
    change,
    refresh: () => facts && act(() => refresh(facts)),
    goToFormula: () => facts && act(() => workbook.selectCell(anchorOf(facts.cell))),
    reload,
  };
}

/** The cell whose formula gives what a cell shows: itself, or the one that spills into it. */
export function anchorOf({ sheetId, row, column, offset }: SelectedCell): CellPosition {
  return { sheetId, row: row - offset.row, column: column - offset.column };
}

/** Reads the imports when a table is not known to be one, or none, of them. */
function createKnownImports(book: Pick<ImportBook, "list">) {
  let imports: readonly KeptImport[] = [];
  const others = new Set<string>();
  /** Beside one list there may be two: the one with the cell's column, if any. */
  const find = ({ tableId, headers, column }: TableRowHere) => {
    const here = imports.filter(({ saved }) => saved.tableId === tableId);
    return (
      here.find(({ saved }) => saved.columns.some(({ header }) => header === headers[column])) ?? here[0]
    );
  };
  return {
    async of(table: TableRowHere): Promise<KeptImport | undefined> {
      if (!find(table) && !others.has(table.tableId)) {
        ({ imports } = await book.list());
        if (!find(table)) others.add(table.tableId);
      }
      return find(table);
    },
  };
}
