import type { App } from "../../src/app";
import { createDisk } from "../../src/engine/cache/store";
import { config } from "../../src/config";
import { asFailure, Failure } from "../../src/errors";
import { freezeFormulas, unfreezeFormulas } from "../../src/workbook/cell-formulas/freeze";
import { refreshFormulas } from "../../src/workbook/cell-formulas/refresh-formulas";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import type { RefreshReport } from "../../src/workbook/imports/refresh/plan-refresh";
import { refreshImport } from "../../src/workbook/imports/refresh/refresh";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import type { Destination } from "../../src/workbook/sheet/tables/write-table";
import type { CellValue } from "../../workbench/spreadsheet";
import { PENDING } from "../../workbench/spreadsheet";
import { openExcel, type PlayedExcel } from "../excel/open-excel";
import { argumentChoices } from "../../src/workbook/formula-text/argument-choices";
import { type FormulaName, formulas } from "../functions/excel";
import { memoryStorage } from "../settings/memory-storage";
import { IDBFactory } from "../engine/cache/database";
import { type Call, checkCall } from "./calls";
import type { Clock } from "./clock";
import type { Played } from "./events";
import { isIn, mustBeSame, mustHaveSameParts, placeOf, type Still, stillOf } from "./grid";
import { createWrittenConditions } from "./finds/written-conditions";
import { createOracle, type EntitlementChange, kindOfSentence, Lie, type Span } from "./oracle";
import { createRandom, type Random } from "./random";
import { playChance, setBounds } from "./runtime";
import { type Fault, faults, inventService } from "./service";
import {
  answerCellName,
  answerCells,
  checkImported,
  checkRefreshed,
  checkSources,
  columnsOf,
  type Import,
  readRows,
  rememberedOf,
  tableBefore,
  tableRect,
  type TypedCells,
  typesOfColumns,
} from "./tables";
import { changeAnswer, inventWorld, type WorldAhj, type WorldType } from "./world";

export interface Figures {
  cells: number;
  calls: number;
  requests: number;
  old: number;
  events: Record<string, number>;
  outcomes: Record<string, number>;
}

const startMs = Date.UTC(2026, 2, 12, 12);
const baseUrl = "https://invented.test";
const scratchRow = 900;

/** The conditions of finds stand in AO1:AQ6. */
const conditionColumn = 40;
const conditionRows = 6;

/** Excel's codes for a request while a cell is edited, and for too many requests. */
const inCellEditMode = 5004;
const activityLimit = 5102;
/** The kinds of failure that the add-in gives after these codes. */
const refusals: ReadonlySet<string> = new Set(["cell-editing", "sheet-refused"]);

/** A formula that the user has entered. */
interface Entered {
  sheetId: string;
  row: number;
  column: number;
  text: string;
  /** When the formula was last to be calculated. */
  dueMs: number;
  /** The text that the cell showed when it was last checked. */
  shown: string | undefined;
}

interface Operation {
  kind: string;
  stop: AbortController;
  isDone: boolean;
  /** True if the user wrote into cells or moved rows meanwhile. */
  hasEdits: boolean;
  hasMoves: boolean;
}

/** The calls that formulas make, in any played Excel. */
interface Heard {
  calls: Call[];
  waiting: number;
  begun: number;
}

/** Plays one user's day with one service, all from a seed. Throws a Lie if the sheet shows anything untrue. */
export async function playCase(clock: Clock, seed: number, events: readonly Played[]): Promise<Figures> {
  clock.reset(startMs);
  const chance = createRandom(seed);
  playChance(createRandom(seed ^ 0x5bd1e995));
  const world = inventWorld(chance, startMs);
  const service = inventService(world, createRandom(seed ^ 0x2545f491));
  const entitlements: EntitlementChange[] = world.subscribers.map(({ key, entitled }) => ({
    ...{ atMs: 0, key, entitled: new Set(entitled) },
  }));
  const oracle = createOracle(world, service, entitlements);
  const figures: Figures = { cells: 0, calls: 0, requests: 0, old: 0, events: {}, outcomes: {} };

  let storage = memoryStorage();
  let disk = new IDBFactory();
  let excel: PlayedExcel;
  let heard: Heard;
  let entered: Entered[] = [];
  const imports: Import[] = [];
  /** The texts that the user has typed into tables, by table and `answerCellName`, and the value before each; null if that is unknown. */
  const typed = new Map<string, { from: CellValue | null; text: CellValue }>();
  const everTyped = new Set<string>();
  let lastAsked: { ahjs: WorldAhj[]; types: WorldType[] } | null = null;
  let operation: Operation | undefined;
  /** True once Excel was told to refuse a request: it is not known which. */
  let mayBeRefused = false;
  let still: Still;
  let before: Still;
  let olds: { span: Span; ahjIds: number[]; typeIds: number[] }[] = [];
  /** The keys in force, each with the time since when. */
  let inForce: { sinceMs: number; key: string | null }[] = [];
  let isKeyChanging = false;

  const isDiskPlayed = chance.chance(0.3);
  setBounds(chance.chance(0.3), chance.chance(0.25) ? chance.whole(1, 8) : undefined);
  const conditions = createWrittenConditions(world);
  const openDisk: NonNullable<Parameters<typeof openExcel>[0]>["openDisk"] = (onFailure) =>
    createDisk({ indexedDB: isDiskPlayed ? disk : undefined, onFailure });

  function open(file?: ReturnType<PlayedExcel["save"]>) {
    heard = { calls: [], waiting: 0, begun: 0 };
    service.forgetLimits();
    inForce = [];
    operation = undefined;
    excel = openExcel({ fetch: service.fetch, storage, file, openDisk, excelApi: "1.12" });
    listen(excel.app);
  }

  /** Notes every call of a formula, with its result. */
  function listen(app: App) {
    const here = heard;
    played = async (name, run, args) => {
      const invocation = args.at(-1) as { onCanceled?: () => void };
      const call: Call = {
        ...{ name, args: args.slice(0, -1), outcome: undefined, key: null },
        ...{ fromMs: clock.nowMs(), toMs: 0, ageMs: app.answerAgeMs() },
      };
      let isCancelled = false;
      const isAlone = () => (operation?.isDone ?? true) && !isKeyChanging;
      const isFirst = here.waiting === 0 && isAlone();
      here.waiting += 1;
      const [begun, sentBefore, keysBefore] = [(here.begun += 1), service.requests, inForce.length];
      const settled = run(...args);
      const cancel = invocation.onCanceled;
      invocation.onCanceled = () => {
        isCancelled = true;
        cancel?.();
      };
      call.outcome = await settled.catch((error: unknown) => error);
      here.waiting -= 1;
      call.toMs = clock.nowMs();
      if (isFirst && here.begun === begun && isAlone() && inForce.length === keysBefore)
        call.sentAlone = service.requests - sentBefore;
      // After a refresh is cancelled, kept answers are new enough again.
      if (operation?.stop.signal.aborted) call.ageMs = Math.max(call.ageMs, app.answerAgeMs());
      call.key = app.currentSession()?.credentials.key ?? null;
      if (!isCancelled) here.calls.push(call);
      if (!isCancelled && here === heard) checkNow(call);
      if (call.outcome instanceof Error) throw call.outcome;
      return call.outcome;
    };
  }

  const lies: Lie[] = [];

  /** Checks a result as soon as it is given, since its cell may show something else by the time all rests. */
  function checkNow(call: Call) {
    try {
      const { cells, old } = checkCall(call, world, oracle, conditions);
      figures.cells += cells;
      figures.calls += 1;
      figures.old += old.length;
      if (call.name === "FIND") note(`find ${endOfFind(call.outcome)}`);
      for (const cell of old) if (call.name !== "COLLECTION") olds.push({ ...cell, span: call });
    } catch (thrown) {
      lies.push(asLie(thrown));
    }
  }

  const session = () => excel.app.currentSession() ?? null;
  const sheetOne = () => excel.spreadsheet.sheets()[0]?.id ?? "";
  const note = (outcome: string) => (figures.outcomes[outcome] = (figures.outcomes[outcome] ?? 0) + 1);

  /** A change that the user makes at once: nobody else is responsible for these cells. */
  function edit(work: () => void, isMove: boolean) {
    work();
    const now = stillOf(excel.spreadsheet);
    if (!operation) still = now;
    else {
      // Cells that an operation has written so far are not the user's.
      for (const key of new Set([...before.cells.keys(), ...now.cells.keys()])) {
        const value = now.cells.get(key);
        if (before.cells.get(key) === value) continue;
        if (value === undefined) still.cells.delete(key);
        else still.cells.set(key, value);
      }
      if (isMove) operation.hasMoves = true;
      else operation.hasEdits = true;
    }
  }
  const editing = (work: () => void, isMove = false) => {
    before = stillOf(excel.spreadsheet);
    edit(work, isMove);
  };

  function mustBeStill(when: string, mayDiffer: (key: string) => boolean = () => false) {
    const now = stillOf(excel.spreadsheet);
    mustBeSame(still, now, mayDiffer, when);
    return now;
  }

  /** Lets everything come to rest, and checks the whole sheet. */
  async function rest() {
    const isAtRest = () => heard.waiting === 0 && (operation?.isDone ?? true);
    await clock.pass(2 * 3_600_000, () => lies.length > 0 || isAtRest());
    throwLies();
    if (!isAtRest())
      throw new Lie(
        operation?.isDone === false ? `${operation.kind} never ends` : "a formula waits for ever",
      );
    await clock.pass(1_000);
    if (!isAtRest()) return rest();
    throwLies();
    mustBeStill("at rest");
    for (const formula of entered) checkShown(formula);
    checkMarks();
  }

  function throwLies() {
    const [lie] = lies;
    if (lie) throw lie;
    const [complaint] = service.complaints;
    if (complaint !== undefined) throw new Lie(`the service was asked wrongly: ${complaint}`);
    const unknown = excel.problems.find((problem) => !problem.includes("circular"));
    if (unknown !== undefined) throw new Lie(`not modeled: ${unknown}`);
  }

  const isLive = ({ sheetId, row, column, text }: Entered) => {
    const cell = excel.spreadsheet.read(sheetId, { row, column, rows: 1, columns: 1 })[0]?.[0];
    return cell?.formula === text && cell.value !== text;
  };

  /** Checks that a cell shows its formula's last result. */
  function checkShown(formula: Entered) {
    const { sheetId, row, column, text } = formula;
    const view = excel.spreadsheet.read(sheetId, { row, column, rows: 1, columns: 1 })[0]?.[0];
    if (!view || !isLive(formula)) return;
    const spill = excel.spreadsheet.spillOf(sheetId, row, column);
    const shown = excel.spreadsheet.read(sheetId, spill ?? { row, column, rows: 1, columns: 1 });
    const values = JSON.stringify(shown.map((cells) => cells.map(({ value }) => value)));
    if (values.includes(PENDING)) throw new Lie(`${text} shows ${PENDING} for ever`);
    const isOwnError = view.value === "#SPILL!" || view.value === "#REF!" || view.value === "#NAME?";
    const name = /^=REGDATA\.(\w+)/.exec(text)?.[1] ?? "";
    if (!isOwnError && formula.shown !== values) {
      const answers = heard.calls.filter((call) => call.name === name && call.toMs >= formula.dueMs - 1);
      const hasAnswer = answers.some((call) => asShown(call.outcome) === values);
      // An argument that is an error is the formula's result.
      const isError = typeof view.value === "string" && /^#/.test(view.value);
      if (!hasAnswer && !(isError && answers.length === 0))
        throw new Lie(`${text} shows ${values}, which no call gave`);
    }
    formula.shown = values;
  }

  /** Checks that the pane marks each formula that shows an old answer. */
  function checkMarks() {
    const notice = excel.app.notices().oldAnswers;
    for (const { span, ahjIds, typeIds } of olds) {
      const isOfNow =
        span.key === (session()?.credentials.key ?? null) &&
        !inForce.some(({ sinceMs }) => sinceMs >= span.toMs);
      // The same question was asked again and answered, so the mark goes.
      const isAnswered =
        oracle.verdict(
          ahjIds,
          typeIds,
          { ...span, fromMs: span.toMs, ageMs: 0, toMs: clock.nowMs() },
          () => true,
        ) === "fresh";
      if (isOfNow && !isAnswered && notice === null) throw new Lie("an old answer is shown without a mark");
    }
    olds = [];
  }

  async function finish<Result>(work: Promise<Result>, kind: string): Promise<Result> {
    let outcome: { result: Result } | { thrown: unknown } | undefined;
    work.then(
      (result) => (outcome = { result }),
      (thrown: unknown) => (outcome = { thrown }),
    );
    await clock.pass(2 * 3_600_000, () => outcome !== undefined || lies.length > 0);
    throwLies();
    if (outcome === undefined) throw new Lie(`${kind} never ends`);
    if ("thrown" in outcome) throw outcome.thrown;
    return outcome.result;
  }

  /** Begins an operation that takes a while; the `check` that it returns looks at the result. */
  function begin(kind: string, work: (signal: AbortSignal) => Promise<() => void>) {
    const stop = new AbortController();
    const one: Operation = { kind, stop, isDone: false, hasEdits: false, hasMoves: false };
    operation = one;
    before = still = stillOf(excel.spreadsheet);
    void work(stop.signal)
      .then((check) => check())
      .catch((thrown: unknown) => void lies.push(asLie(thrown)))
      .finally(() => (one.isDone = true));
  }

  const spanOf = (fromMs: number, key: string | null, ageMs: number): Span => ({
    key,
    fromMs,
    toMs: clock.nowMs(),
    ageMs,
  });

  function mustBeTrue(failure: Failure, span: Span, stop: AbortSignal, isClosed: boolean) {
    note(failure.kind);
    const isTrue =
      (failure.kind === "cancelled" && (stop.aborted || isClosed)) ||
      (refusals.has(failure.kind) && mayBeRefused) ||
      oracle.isTrue(failure.kind, {}, span);
    if (!isTrue)
      throw new Lie(
        `it failed with ${failure.kind}, which is not true: ${failure.message} ${String(failure.cause)} ${JSON.stringify(service.troubles.slice(-3))} ${JSON.stringify(span)}`,
      );
  }

  /** The place of the next formula, with room for the cells that it may spill into. */
  const slot = (place: number) => ({ row: 20 + Math.floor(place / 2) * 30, column: 2 + (place % 2) * 16 });

  const literal = (value: string | number | boolean) =>
    typeof value === "string" ? `"${value.replaceAll('"', '""')}"` : String(value).toUpperCase();
  function jurisdiction(random: Random): string | number {
    const ahj = random.one(world.ahjs);
    if (random.chance(0.08)) return random.one(["99999", "ahj:987654", "what?", 4899999]);
    if (ahj.geoid === null || random.chance(0.1)) return `ahj:${ahj.id}`;
    return random.chance(0.25) ? Number(ahj.geoid) : ahj.geoid;
  }
  function typeArgument(random: Random): string | number {
    const type = random.one(world.types);
    if (random.chance(0.08)) return random.one([4711, "No such question", -5]);
    return random.chance(0.2) ? type.name : random.chance(0.2) ? String(type.id) : type.id;
  }
  const list = (random: Random, item: () => string | number, range: () => string, most: number) => {
    if (random.chance(0.45)) return literal(item());
    if (random.chance(0.3))
      return `{${Array.from({ length: random.whole(1, most) }, () => literal(item())).join(random.one([",", ";"]))}}`;
    return range();
  };
  /** The text that says where a find looks. */
  function whereText(random: Random, who: () => string): string {
    const state = () => random.one(["CA", "tx", "Alabama", "NV"]);
    if (random.chance(0.3)) return literal(random.one(["all", "All"]));
    if (random.chance(0.3)) return literal(state());
    if (random.chance(0.3))
      return `{${literal(state())};${literal(jurisdiction(random))};${literal(state())}}`;
    return who();
  }
  function conditionRow(random: Random) {
    const question = random.chance(0.2) ? typeArgument(random) : random.one(world.types).id;
    return conditions.invent(random, question, clock.nowMs());
  }
  function columnsText(random: Random, what: () => string): string {
    if (random.chance(0.5)) return "";
    return random.chance(0.2)
      ? what()
      : `{${random
          .some(world.types)
          .map(({ id }) => id)
          .join()}}`;
  }
  function conditionsText(random: Random): string {
    if (random.chance(0.4)) return `AO${random.whole(1, 3)}:AQ${random.whole(3, conditionRows)}`;
    const rows = Array.from({ length: random.whole(1, 3) }, () =>
      conditionRow(random).map(literal).join(","),
    );
    return `{${rows.join(";")}}`;
  }
  function formulaText(random: Random): string {
    const who = () =>
      list(
        random,
        () => jurisdiction(random),
        () => `A${random.whole(1, 3)}:A${random.whole(3, 9)}`,
        5,
      );
    const what = () =>
      list(
        random,
        () => typeArgument(random),
        () => `B${random.whole(1, 2)}:B${random.whole(2, 6)}`,
        4,
      );
    const name = random.one([
      ...([
        "VALUE",
        "VALUE",
        "VALUE",
        "MATRIX",
        "MATRIX",
        "CITATION",
        "CHANGED",
        "AHJ",
        "GEOID",
        "COLLECTION",
        "COLLECTION",
      ] as const),
      ...(["CARD", "TYPES", "CATEGORIES", "COLLECTIONS", "AHJS"] as const),
      ...(["FIND", "FIND", "FIND"] as const),
    ]);
    const fields = argumentChoices.field.map((word) => `"${word}"`);
    const field = random.one(["", "", ...fields, '"colour"']);
    const of = (...args: string[]) => `=REGDATA.${name}(${args.join(",").replace(/,+$/, "")})`;
    const key = session()?.credentials.key;
    const collections = world.subscribers.find((each) => each.key === key)?.collections ?? [];
    switch (name) {
      case "VALUE":
        return of(who(), what(), field, random.chance(0.2) ? '"none"' : "");
      case "MATRIX":
        return of(who(), what(), random.one(["", "TRUE", "FALSE"]), field);
      case "CITATION":
      case "CARD":
        return of(who(), what());
      case "CHANGED":
        return of(who(), what(), random.one(['"2026-03-12"', "46092", '"soon"', '"2026-03-11T12:00:00Z"']));
      case "AHJ":
        return of(
          who(),
          random.one(["", '"geoid"', '{"name","id","state_code"}', '"population"', '"weight"']),
        );
      case "GEOID": {
        const { name: place, state_code: state } = random.one(world.ahjs);
        return random.one([
          of(literal(`${place}, ${state}`)),
          of(literal(place), literal(state)),
          of(literal(place)),
        ]);
      }
      case "COLLECTION": {
        const named =
          collections.length > 0 && random.chance(0.9)
            ? random.one(collections)
            : { name: "No such collection", id: "x1" };
        return of(
          literal(random.chance(0.7) ? named.name : named.id),
          who(),
          random.one(["", '"wide"', '"long"']),
        );
      }
      case "FIND":
        return of(
          whereText(random, who),
          conditionsText(random),
          columnsText(random, what),
          random.one(["", "", "TRUE", "FALSE"]),
          random.one(["", '"all"', '"any"', '"ANY"', random.chance(0.1) ? '"some"' : '"any"']),
          random.one(["", '"found"', '"unknown"']),
        );
      case "AHJS":
        return of(random.one(["", '"CA"', '"TX"']));
      default:
        return of("");
    }
  }

  const openFaults = () => [...faults, "slow", "unreachable"] as Fault[];
  const textForm = (value: CellValue) => (typeof value === "string" ? `'${value}` : value);

  const acts: Record<Played["kind"], (random: Random) => Promise<void> | void> = {
    enter(random) {
      const places = [0, 1, 2, 3, 4, 5, 6, 7];
      const { row, column } = slot(random.one(places));
      const text = formulaText(random);
      const sheetId = sheetOne();
      editing(() => {
        const cell = { row, column, rows: 1, columns: 1 };
        // A frozen cell has the format of a text, in which a new formula would be text, too.
        excel.spreadsheet.clear(sheetId, cell, { contents: true, formats: true });
        excel.spreadsheet.writeFormulas(sheetId, cell, [[text]]);
        entered = entered.filter(
          (each) => each.sheetId !== sheetId || each.row !== row || each.column !== column,
        );
        entered.push({ sheetId, row, column, text, dueMs: clock.nowMs(), shown: undefined });
      });
    },
    "enter-again"(random) {
      if (entered.length === 0) return;
      const again = random.one(entered);
      const { sheetId, row, column, text } = again;
      if (!isLive(again)) return;
      editing(() => excel.spreadsheet.writeFormulas(sheetId, { row, column, rows: 1, columns: 1 }, [[text]]));
      Object.assign(again, { dueMs: clock.nowMs(), shown: undefined });
    },
    argument(random) {
      if (random.chance(0.2)) {
        const place = {
          row: random.whole(0, conditionRows - 1),
          column: conditionColumn,
          rows: 1,
          columns: 3,
        };
        editing(() =>
          excel.spreadsheet.writeFormulas(sheetOne(), place, [conditionRow(random).map(textForm)]),
        );
        return;
      }
      const isType = random.chance(0.4);
      const value = random.chance(0.15) ? "" : isType ? typeArgument(random) : jurisdiction(random);
      const place = { row: random.whole(0, isType ? 5 : 8), column: isType ? 1 : 0, rows: 1, columns: 1 };
      editing(() => {
        excel.spreadsheet.writeFormulas(sheetOne(), place, [[textForm(value)]]);
      });
    },
    "clear-cell"(random) {
      if (entered.length === 0) return;
      const one = random.one(entered);
      const place = { row: one.row, column: one.column, rows: 1, columns: 1 };
      const [[cell] = []] = excel.spreadsheet.read(one.sheetId, place);
      // A frozen formula without a visible value in this cell stays: it may be brought back.
      const mayComeBack = !isLive(one) && (cell?.value ?? "") === "";
      editing(() => {
        excel.spreadsheet.clear(one.sheetId, place, { contents: true, formats: true });
        if (!mayComeBack) entered = entered.filter((each) => each !== one);
      });
    },
    "copy-cell"(random) {
      if (entered.length === 0) return;
      const from = random.one(entered);
      const to = slot(random.whole(0, 7));
      if (from.row === to.row && from.column === to.column) return;
      editing(() => {
        excel.spreadsheet.copy(
          { sheetId: from.sheetId, rect: { ...from, rows: 1, columns: 1 } },
          { sheetId: from.sheetId, ...to },
        );
        entered = entered.filter((each) => each.row !== to.row || each.column !== to.column);
        const view = excel.spreadsheet.read(from.sheetId, { ...to, rows: 1, columns: 1 })[0]?.[0];
        if (view?.formula === from.text)
          entered.push({ ...from, ...to, dueMs: clock.nowMs(), shown: undefined });
      });
    },
    "own-cell"(random) {
      const place = { row: random.whole(0, 12), column: random.whole(3, 9), rows: 1, columns: 1 };
      editing(() =>
        excel.spreadsheet.writeFormulas(sheetOne(), place, [[random.one(["mine", 42, "'0042", true])]]),
      );
    },
    "values-change"(random) {
      for (const { id } of random.some(world.ahjs)) {
        for (const type of random.some(world.types)) changeAnswer(world, random, id, type.id, clock.nowMs());
      }
    },
    "subscription-changes"(random) {
      const subscriber = random.one(world.subscribers);
      subscriber.entitled = new Set(random.some(world.ahjs.map(({ id }) => id)));
      entitlements.push({ atMs: clock.nowMs(), key: subscriber.key, entitled: new Set(subscriber.entitled) });
    },
    "fault-begins": (random) => service.begin(random.one(openFaults())),
    "fault-ends": () => service.begin(null),
    "time-passes": (random) =>
      clock.pass(random.one([2_000, 40_000, 600_000, 5 * 3_600_000, 25 * 3_600_000, 9 * 86_400_000])),
    /** Answers grow old while the service cannot be asked. */
    async outage(random) {
      void acts.enter(random);
      await rest();
      await clock.pass(25 * 3_600_000);
      service.begin(random.one(["unreachable", "500", "hang"]));
      if (random.chance(0.3)) startImport(random, true);
      else enterSomeAgain(random);
    },
    async "answer-age"(random) {
      await rest();
      const preferences = {
        ...excel.app.preferences(),
        answerAgeMs: random.one([60_000, 3_600_000, 86_400_000, 7 * 86_400_000]),
      };
      await finish(excel.app.setPreferences(preferences), "setPreferences");
    },
    async connect(random) {
      const isHandedOn = random.chance(0.5);
      if (isHandedOn) {
        void acts.enter(random);
        await rest();
      }
      const key = random.chance(0.1) ? "key-of-nobody" : random.one(world.subscribers).key;
      service.forgetLimits();
      await changeKey(excel.app.connect(baseUrl, key, random.chance(0.3)));
      if (isHandedOn) enterSomeAgain(random);
    },
    forget: () => changeKey(excel.app.forget()),
    clear: () => changeKey(excel.app.clear()),
    async import(random) {
      await rest();
      startImport(random);
    },
    async refresh(random) {
      await rest();
      const made = await startRefresh(random);
      if (!made || !random.chance(0.25)) return;
      await clock.pass(random.whole(1, 400), () => operation?.isDone ?? true);
      editing(() => (random.chance(0.7) ? sortTable : deleteRow)(random, made), true);
    },
    cancel: () => operation?.stop.abort(),
    async "refresh-formulas"() {
      await rest();
      const fromMs = clock.nowMs();
      const { app } = excel;
      begin("refresh-formulas", async (signal) => {
        try {
          const cells = await app.workbook.findFormulas("workbook", {
            namespace: config.namespace,
            canSeeSpills: true,
          });
          await refreshFormulas(cells, { workbook: app.workbook, calls: app }, signal);
          note("refresh of formulas done");
          for (const each of entered) {
            const isThere = cells.some(
              ({ sheetId, row, column }) =>
                each.sheetId === sheetId && each.row === row && each.column === column,
            );
            if (isThere && each.dueMs <= fromMs) Object.assign(each, { dueMs: fromMs, shown: undefined });
          }
        } catch (thrown) {
          mustBeTrue(asFailure(thrown), spanOf(fromMs, session()?.credentials.key ?? null, 0), signal, false);
        }
        return () => void mustBeStill("after a refresh of formulas");
      });
    },
    async freeze(random) {
      await rest();
      const { app } = excel;
      mayRefuse(random);
      begin("freeze", async (signal) => {
        const shown = new Map(entered.map((each) => [each, each.shown]));
        try {
          const cells = await app.workbook.findFormulas("workbook", {
            namespace: config.namespace,
            canSeeSpills: true,
          });
          await freezeFormulas(cells, app.workbook, { signal, onProgress() {}, canSeeDataTypes: false });
        } catch (thrown) {
          const failure = asFailure(thrown);
          note(`freeze ${failure.kind}`);
          if (failure.kind !== "cancelled" && !refusals.has(failure.kind)) throw thrown;
          return () => void mustBeStill("after a freeze that failed");
        }
        return () => {
          const ownCells = (key: string) =>
            entered.some(({ sheetId, row, column, shown: was = "[[]]" }) => {
              const values = JSON.parse(was) as unknown[][];
              const [sheet, atRow, atColumn] = key.split(" ");
              const rect = { row, column, rows: values.length, columns: values[0]?.length ?? 1 };
              return sheet === sheetId && isIn(rect, Number(atRow), Number(atColumn));
            });
          still = mustBeStill("after a freeze", ownCells);
          for (const [{ sheetId, row, column, text }, was = "[[]]"] of shown) {
            const values = JSON.parse(was) as unknown[][];
            const rect = { row, column, rows: values.length, columns: values[0]?.length ?? 1 };
            const now = excel.spreadsheet.read(sheetId, rect).map((cells) => cells.map(({ value }) => value));
            if (JSON.stringify(now) !== was)
              throw new Lie(`${text} showed ${was} and is frozen as ${JSON.stringify(now)}`);
          }
        };
      });
      await rest();
    },
    async unfreeze() {
      await rest();
      const { app } = excel;
      begin("unfreeze", async (signal) => {
        const frozen = entered.filter((each) => !isLive(each));
        const options = { signal, onProgress() {}, namespace: config.namespace, calls: app };
        try {
          await unfreezeFormulas("workbook", app.workbook, options);
        } catch (thrown) {
          const { kind } = asFailure(thrown);
          if (kind !== "cancelled" && !refusals.has(kind)) throw thrown;
          note(`unfreeze ${kind}`);
        }
        return () => {
          const isOfFormula = (key: string) =>
            entered.some(({ sheetId, row, column }) => {
              const [sheet, atRow, atColumn] = key.split(" ");
              return (
                sheet === sheetId &&
                isIn({ row, column, rows: 28, columns: 14 }, Number(atRow), Number(atColumn))
              );
            });
          still = mustBeStill("after an unfreeze", isOfFormula);
          for (const each of frozen) each.shown = undefined;
        };
      });
      await rest();
    },
    "table-edit": (random) => onTable(random, editTableCell),
    "table-sort": (random) => onTable(random, sortTable, true),
    "table-delete-row": (random) => onTable(random, deleteRow, true),
    "table-own-row": (random) => onTable(random, addOwnRow),
    "table-own-column": (random) => onTable(random, addOwnColumn),
    "table-rename-header": (random) => onTable(random, renameHeader),
    async reopen(random) {
      await rest();
      const file = excel.save();
      const text = JSON.stringify(file);
      for (const { key } of world.subscribers)
        if (text.includes(key)) throw new Lie(`the key ${key} is in the file`);
      excel.close();
      service.closePages();
      if (random.chance(0.4)) [storage, disk] = [memoryStorage(), new IDBFactory()];
      open(file);
      for (const each of entered)
        if (each.shown === undefined || /^\[\["#/.test(each.shown)) each.dueMs = clock.nowMs();
      still = stillOf(excel.spreadsheet);
      await rest();
    },
  };

  function enterSomeAgain(random: Random) {
    for (let times = 0; times < 3; times += 1) void acts["enter-again"](random);
  }

  async function changeKey(work: Promise<void>) {
    const fromMs = clock.nowMs();
    isKeyChanging = true;
    await finish(work, "a change of keys").catch((thrown: unknown) => {
      const { kind } = asFailure(thrown);
      note(`connect ${kind}`);
      if (thrown instanceof Failure) return;
      throw thrown;
    });
    service.forgetLimits();
    isKeyChanging = false;
    inForce.push({ sinceMs: fromMs, key: session()?.credentials.key ?? null });
  }

  /** Lets Excel refuse one of the next requests. */
  function mayRefuse(random: Random): void {
    if (!random.chance(0.15)) return;
    excel.fail(random.one([inCellEditMode, activityLimit]), 1, "workbook", random.whole(0, 12));
    mayBeRefused = true;
  }

  function startImport(random: Random, mustBeAgain = false) {
    const now = session();
    if (!now) return;
    const subscriber = world.subscribers.find(({ key }) => key === now.credentials.key);
    if (!subscriber) return;
    const { app, spreadsheet } = excel;
    const isLong = random.chance(0.3);
    const form = {
      layout: isLong ? ("long" as const) : ("wide" as const),
      hasCitations: random.chance(0.4),
      hasDates: random.chance(0.25),
      hasDashes: random.chance(0.4),
    };
    const isAgain = lastAsked !== null && (mustBeAgain || random.chance(0.3));
    const ahjs =
      isAgain && lastAsked
        ? lastAsked.ahjs
        : random.some(world.ahjs.filter(({ id }) => subscriber.entitled.has(id) || random.chance(0.3)));
    if (!isAgain && ahjs.length > 0 && random.chance(0.1))
      ahjs.push({ ...ahjs[0]!, id: 987654, name: "Nowhere" });
    if (ahjs.length === 0) return;
    const collection =
      !isAgain && random.chance(0.35) && subscriber.collections.length > 0
        ? random.one(subscriber.collections)
        : null;
    const types: WorldType[] = isAgain && lastAsked ? lastAsked.types : random.some(world.types);
    if (!collection) lastAsked = { ahjs: [...ahjs], types: [...types] };
    const unknownTypeIds = !isAgain && !collection && random.chance(0.1) ? [4711] : [];
    for (const id of unknownTypeIds) types.push({ ...types[0]!, id, name: "Retired" });
    const question = collection
      ? ({
          kind: "collection",
          ahjs,
          collection: {
            ...collection,
            organization_id: "",
            description: "",
            created_at: "",
            updated_at: "2026-01-02T00:00:00Z",
          },
        } as const)
      : ({ kind: "matrix", ahjs, types } as const);
    const hasSources = random.chance(0.2);
    const sheetName = `Import ${clock.nowMs() - startMs}`;
    const isInCell = !isLong && random.chance(0.3);
    const destination: Destination = isInCell
      ? {
          kind: "cell",
          sheetId: sheetOne(),
          row: 140 + 30 * random.whole(0, 2),
          column: 0,
          mayOverwrite: null,
        }
      : { kind: "new-sheet", name: sheetName };
    const fromMs = clock.nowMs();
    const ageMs = app.answerAgeMs();
    mayRefuse(random);
    begin("import", async (signal) => {
      const parts = stillOf(spreadsheet);
      const placed = await placeImport(
        { question, form, hasSources, sheetName },
        destination,
        { workbook: app.workbook, session: now },
        { signal },
      );
      const span = spanOf(fromMs, now.credentials.key, ageMs);
      return () => {
        if (placed.status === "failed") {
          // Excel also refused to take the change back, and the user is told.
          if (mayBeRefused && placed.failure.message.includes("could not be taken back")) {
            note("not taken back");
            still = stillOf(spreadsheet);
            return;
          }
          const after = mustBeStill("after an import that failed");
          if (!operation?.hasEdits && !operation?.hasMoves)
            mustHaveSameParts(parts, after, "after an import that failed");
          if (placed.failure.kind === "cells-in-the-way" && isInCell) return;
          if (placed.failure.kind === "too-large") throw placed.failure;
          return mustBeTrue(placed.failure, span, signal, now.closed.aborted);
        }
        note("import done");
        if (placed.address === null) {
          const all = new Set([...placed.report.leftOut.map(({ ahj }) => ahj.id)]);
          if (!isLong && all.size < ahjs.length)
            throw new Lie("nothing came, and the report does not say why");
          still = mustBeStill("after an import of nothing");
          return;
        }
        const { sheetId, rect } = placeOf(spreadsheet, placed.address);
        const sourcesId =
          placed.sourcesAddress === null ? null : placeOf(spreadsheet, placed.sourcesAddress).sheetId;
        still = mustBeStill("after an import", (key) => {
          const [sheet, row, column] = key.split(" ");
          if (sheet === sourcesId) return true;
          return sheet === sheetId && isIn(rect, Number(row), Number(column));
        });
        const table = spreadsheet
          .tables()
          .find((each) => each.sheetId === sheetId && each.rect.row === rect.row);
        if (!table) throw new Lie(`there is no table at ${placed.address}`);
        const headers = (spreadsheet.read(sheetId, { ...rect, rows: 1 })[0] ?? []).map(({ value }) =>
          String(value),
        );
        const saved = rememberedOf(excel.document.customXmlParts.values(), table.id);
        const ofColumns = !collection ? types : isLong ? [] : typesOfColumns(headers, saved, world);
        if (!ofColumns) {
          note("columns nobody can tell apart");
          if (!mayBeRefused) throw new Lie("the workbook does not remember the import");
          return;
        }
        const made: Import = {
          ...{ tableId: table.id, isLong, isCollection: collection !== null },
          isDated: form.hasDates || hasSources,
          noValue: form.hasDashes ? "–" : "",
          columns: columnsOf(headers, { ...form, isLong, types: ofColumns }),
        };
        const asked = {
          ahjIds: ahjs.map(({ id }) => id),
          types: collection ? null : types,
          selected: collection ? oracle.typesOf(collection) : [],
          unknownTypeIds,
        };
        const { cells, old } = checkImported(spreadsheet, made, asked, placed.report, {
          span,
          world,
          oracle,
        });
        figures.cells += cells;
        figures.old += old;
        if (hasSources !== (placed.sourcesAddress !== null))
          throw new Lie("a sheet of sources where none was asked for, or none");
        if (placed.sourcesAddress !== null) {
          checkSources(spreadsheet, made, placed.sourcesAddress, {
            values: placed.report.values,
            span,
            world,
            oracle,
          });
        }
        if (placed.notRemembered === null) imports.push(made);
        else if (!mayBeRefused) throw new Lie(`not remembered: ${placed.notRemembered.message}`);
      };
    });
  }

  async function startRefresh(random: Random): Promise<Import | undefined> {
    const now = session();
    if (imports.length === 0) startImport(random);
    if (!now || imports.length === 0) return undefined;
    const { app, spreadsheet } = excel;
    const book = createImportBook(app.workbook);
    const kept = await finish(book.list(), "the list of imports").then(
      (found) => found.imports,
      (thrown: unknown) => {
        if (mayBeRefused) return null;
        throw thrown;
      },
    );
    if (!kept) return undefined;
    for (const made of imports) {
      if (!kept.some(({ saved }) => saved.tableId === made.tableId)) throw new Lie("an import is forgotten");
    }
    const made = random.one(imports);
    const saved = kept.find((each) => each.saved.tableId === made.tableId)?.saved;
    if (!saved) return undefined;
    const tables = createImportTables(app.workbook);
    // The texts that the user has typed into the table must still be there afterwards.
    if (random.chance(0.4)) editing(() => editTableCell(random, made));
    const was = tableBefore(spreadsheet, made);
    const fromMs = clock.nowMs();
    mayRefuse(random);
    begin("refresh", async (signal) => {
      const parts = stillOf(spreadsheet);
      try {
        const { report, notRemembered } = await refreshImport(saved, { tables, book, ...now }, { signal });
        const span = spanOf(fromMs, now.credentials.key, 0);
        // If rows were deleted meanwhile, new ones begin further up.
        const written = answerCells(spreadsheet, made, operation?.hasMoves ? 1 : was.tables.rows);
        if (notRemembered && !mayBeRefused) throw notRemembered;
        return () => {
          note("refresh done");
          const { hasEdits = false, hasMoves = false } = operation ?? {};
          still = mustBeStill("after a refresh", written);
          const checks = { span, world, oracle, hasEdits, hasMoves, typed: typedInto(made) };
          figures.cells += checkRefreshed(
            spreadsheet,
            made,
            was,
            { report, types: saved.types },
            checks,
          ).cells;
          forgetTyped(made, report, hasEdits || hasMoves);
        };
      } catch (thrown) {
        const span = spanOf(fromMs, now.credentials.key, 0);
        return () => {
          if (mayBeRefused && asFailure(thrown).message.includes("could not be taken back")) {
            note("not taken back");
            still = stillOf(spreadsheet);
            return;
          }
          const failed = mustBeStill("after a refresh that failed");
          if (!operation?.hasEdits && !operation?.hasMoves)
            mustHaveSameParts(parts, failed, "after a refresh that failed");
          const failure = asFailure(thrown);
          if (thrown instanceof Lie || !(thrown instanceof Failure)) throw thrown;
          if (failure.kind === "table-gone") return;
          mustBeTrue(failure, span, signal, now.closed.aborted);
        };
      }
    });
    return made;
  }

  function onTable(random: Random, act: (random: Random, made: Import) => void, isMove = false) {
    if (imports.length === 0) return;
    const made = random.one(imports);
    editing(() => act(random, made), isMove);
  }
  function tableOf(made: Import) {
    const { sheetId, rect } = tableRect(excel.spreadsheet, made.tableId);
    return { sheetId, rect, body: rect.rows - 1 };
  }
  function editTableCell(random: Random, made: Import) {
    const { sheetId, rect, body } = tableOf(made);
    const { headers } = readRows(excel.spreadsheet, made);
    const isId = (header: string) =>
      made.columns.some(
        ({ header: own, column }) => own === header && column.of !== "answer" && column.field === "id",
      );
    // The id columns are left out: a changed id would give the row to another AHJ.
    const columns = headers.flatMap((header, index) => (isId(header) ? [] : [index]));
    const place = {
      row: rect.row + random.whole(1, body),
      column: rect.column + random.one(columns),
    };
    const cellNow = () => {
      const { headers, rows } = readRows(excel.spreadsheet, made);
      const row = rows[place.row - rect.row - 1];
      const header = headers[place.column - rect.column] ?? "";
      const column = made.columns.find((each) => each.header === header)?.column;
      if (!row || !column || column.of === "type") return null;
      const name =
        column.of === "ahj"
          ? answerCellName(row.ahjId ?? 0, undefined, column.field)
          : answerCellName(row.ahjId ?? 0, column.type?.id ?? row.typeId ?? 0, column.part);
      return { name: `${made.tableId} ${name}`, value: row.cell(header) ?? "" };
    };
    const was = cellNow();
    excel.spreadsheet.writeFormulas(sheetId, { ...place, rows: 1, columns: 1 }, [
      [random.one(["mine", 7, "'007", "", "–"])],
    ]);
    const is = cellNow();
    if (!was || !is || was.value === is.value) return;
    everTyped.add(is.name);
    const { from = was.value } = typed.get(is.name) ?? {};
    // The add-in's own text stands there again.
    if (from === is.value) typed.delete(is.name);
    else typed.set(is.name, { from, text: is.value });
  }
  function typedInto({ tableId }: Import): TypedCells {
    return {
      wasTyped: (name) => everTyped.has(`${tableId} ${name}`),
      textOf: (name) => typed.get(`${tableId} ${name}`)?.text,
      mayBeForgotten: mayBeRefused,
    };
  }
  /** After a refresh, a cell that is not in its list holds the service's answer; with `isUnsure`, a listed cell may, too. */
  function forgetTyped({ tableId }: Import, { edited }: RefreshReport, isUnsure: boolean) {
    const listed = new Set(
      edited.map(({ ahj, type, part }) => `${tableId} ${answerCellName(ahj.id, type?.id, part)}`),
    );
    for (const [name, { text }] of [...typed]) {
      if (!name.startsWith(`${tableId} `)) continue;
      if (listed.has(name) && !isUnsure) typed.set(name, { from: null, text });
      else typed.delete(name);
    }
  }
  /** Reorders rows by way of rows far below, so that no cell is lost. */
  function reorder(made: Import, order: readonly number[]) {
    const { sheetId, rect, body } = tableOf(made);
    const rowAt = (row: number) => ({ ...rect, row, rows: 1 });
    for (let at = 0; at < body; at += 1) {
      excel.spreadsheet.copy(
        { sheetId, rect: rowAt(rect.row + 1 + at) },
        { sheetId, row: scratchRow + at, column: rect.column },
      );
    }
    for (let at = 0; at < body; at += 1) {
      const from = order[at];
      const to = { sheetId, row: rect.row + 1 + at, column: rect.column };
      if (from === undefined)
        excel.spreadsheet.clear(sheetId, { ...rowAt(to.row) }, { contents: true, formats: true });
      else excel.spreadsheet.copy({ sheetId, rect: rowAt(scratchRow + from) }, to);
    }
    excel.spreadsheet.clear(
      sheetId,
      { ...rect, row: scratchRow, rows: body },
      { contents: true, formats: true },
    );
  }
  function sortTable(random: Random, made: Import) {
    const { body } = tableOf(made);
    reorder(made, random.shuffled(Array.from({ length: body }, (_, at) => at)));
  }
  function deleteRow(random: Random, made: Import) {
    const { rect, body } = tableOf(made);
    if (body < 2) return;
    const gone = random.whole(0, body - 1);
    reorder(
      made,
      Array.from({ length: body }, (_, at) => at).filter((at) => at !== gone),
    );
    excel.spreadsheet.updateTable(made.tableId, { rect: { ...rect, rows: rect.rows - 1 } });
  }
  function addOwnRow(random: Random, made: Import) {
    const { sheetId, rect } = tableOf(made);
    excel.spreadsheet.updateTable(made.tableId, { rect: { ...rect, rows: rect.rows + 1 } });
    const place = {
      row: rect.row + rect.rows,
      column: rect.column + random.whole(1, rect.columns - 1),
      rows: 1,
      columns: 1,
    };
    excel.spreadsheet.writeFormulas(sheetId, place, [["my row"]]);
  }
  function addOwnColumn(random: Random, made: Import) {
    const { sheetId, rect, body } = tableOf(made);
    excel.spreadsheet.updateTable(made.tableId, { rect: { ...rect, columns: rect.columns + 1 } });
    const place = { row: rect.row, column: rect.column + rect.columns, rows: body + 1, columns: 1 };
    const cells = Array.from({ length: body }, (_, at) => [random.one(["note", at, "'0700"])]);
    excel.spreadsheet.writeFormulas(sheetId, place, [[`Notes ${clock.nowMs()}`], ...cells]);
  }
  function renameHeader(random: Random, made: Import) {
    const { sheetId, rect } = tableOf(made);
    const column =
      rect.column + random.whole(made.isLong ? 8 : Math.min(5, rect.columns - 1), rect.columns - 1);
    excel.spreadsheet.writeFormulas(sheetId, { row: rect.row, column, rows: 1, columns: 1 }, [
      [`My ${column}`],
    ]);
    readRows(excel.spreadsheet, made);
  }

  open();
  still = before = stillOf(excel!.spreadsheet);
  editing(() => {
    const ahjs = Array.from({ length: 9 }, () => [chance.chance(0.15) ? "" : textForm(jurisdiction(chance))]);
    const types = Array.from({ length: 6 }, () => [
      chance.chance(0.15) ? "" : textForm(typeArgument(chance)),
    ]);
    excel.spreadsheet.writeFormulas(sheetOne(), { row: 0, column: 0, rows: 9, columns: 1 }, ahjs);
    excel.spreadsheet.writeFormulas(sheetOne(), { row: 0, column: 1, rows: 6, columns: 1 }, types);
    excel.spreadsheet.writeFormulas(
      sheetOne(),
      { row: 0, column: conditionColumn, rows: conditionRows, columns: 3 },
      Array.from({ length: conditionRows }, () =>
        chance.chance(0.3) ? ["", "", ""] : conditionRow(chance).map(textForm),
      ),
    );
  });
  if (chance.chance(0.9)) await acts.connect(chance);
  if (chance.chance(0.4)) await acts.import(chance);
  for (const { kind, seed: own, pause } of events) {
    figures.events[kind] = (figures.events[kind] ?? 0) + 1;
    await acts[kind](createRandom(own));
    if (pause === "rest") await rest();
    else await clock.pass(pause, () => lies.length > 0);
    throwLies();
  }
  service.begin(null);
  await rest();
  excel!.close();
  figures.requests = service.requests;
  return figures;

  function asLie(thrown: unknown): Lie {
    if (thrown instanceof Lie) return thrown;
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return new Lie(`something broke: ${text}`);
  }
  function endOfFind(outcome: unknown): string {
    if (outcome instanceof Error) return kindOfSentence(outcome.message);
    const rows = (outcome as unknown[]).length;
    return rows > 1 ? "of some" : "of one or none";
  }
  function asShown(outcome: unknown): string {
    const cell = (each: unknown): unknown =>
      each instanceof Error ? (each as unknown as { code: string }).code : each;
    const rows = Array.isArray(outcome) ? (outcome as unknown[][]) : [[outcome]];
    return JSON.stringify(rows.map((row) => row.map(cell)));
  }
}

type Run = (...args: unknown[]) => Promise<unknown>;
let played: (name: FormulaName, run: Run, args: unknown[]) => Promise<unknown> = (_, run, args) =>
  run(...args);

/** Notes the calls of formulas from now on, in all cases of a file. */
export function listenToFormulas(): void {
  for (const [name, formula] of Object.entries(formulas) as [FormulaName, { run: Run }][]) {
    const { run } = formula;
    const heardRun = (...args: unknown[]) => played(name, run, args);
    // Excel learns the number of parameters from the function's length, so it must not change.
    Object.defineProperty(heardRun, "length", { value: run.length });
    formula.run = heardRun;
  }
}
