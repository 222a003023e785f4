import type { FailureKind } from "../../src/errors";
import type { argumentChoices } from "../../src/workbook/formula-text/argument-choices";
import { checkFind } from "./finds/find-call";
import type { WrittenConditions } from "./finds/written-conditions";
import {
  type AskedType,
  type Jurisdiction,
  kindOfSentence,
  kindsOfStatus,
  Lie,
  type Oracle,
  type Span,
  statementOfCitation,
  type Verdict,
  writtenAs,
} from "./oracle";
import type { Answer, World, WorldAhj, WorldType } from "./world";

/** A call of a formula that has been answered. */
export interface Call extends Span {
  name: string;
  /** The arguments as Excel handed them over. */
  args: unknown[];
  outcome: unknown;
  /** How many requests were sent for the call; undefined if other calls asked meanwhile. */
  sentAlone?: number;
}

/** The number of cells in a result, and the ones that show an older answer than the user wants. */
export interface CheckedCall {
  cells: number;
  old: { ahjIds: number[]; typeIds: number[] }[];
}

export interface ExcelError {
  code: string;
  message: string;
}

export const isError = (cell: unknown): cell is ExcelError => cell instanceof Error;

type Field = (typeof argumentChoices.field)[number];

/** True if a cell shows this field of an answer. Unit and question don't depend on the answer, so they are checked by the type. */
const valueFields: Record<Field, (answer: Answer, cell: unknown) => boolean> = {
  value: ({ published }, cell) => cell === published.formula,
  text: ({ published }, cell) => cell === published.text,
  reference: ({ reference }, cell) => cell === (reference ?? ""),
  section: ({ section }, cell) => cell === (section ?? ""),
  citation: (answer, cell) => cell === statementOfCitation(answer),
  updated_at: ({ updatedAtMs }, cell) => typeof cell === "string" && Date.parse(cell) === updatedAtMs,
  unit: () => false,
  question: () => false,
  status: (_, cell) => cell === "ok" || cell === "old answer",
};

const isField = (word: string): word is Field => Object.hasOwn(valueFields, word);

export function jurisdictionIn(cell: unknown): Jurisdiction {
  if (cell === null || cell === "" || cell === 0) return "blank";
  if (typeof cell === "number") {
    const digits = String(cell);
    if (!/^[1-9]\d*$/.test(digits)) return "invalid";
    return { geoid: [1, 4, 6, 9].includes(digits.length) ? `0${digits}` : digits };
  }
  if (typeof cell !== "string") return "invalid";
  const text = cell.trim();
  const [, id] = /^ahj: *0*([1-9]\d*)$/i.exec(text) ?? [];
  if (id !== undefined) return { id: Number(id) };
  return /^[\w-]{1,20}$/.test(text) && /\d/.test(text) ? { geoid: text } : { name: text };
}

export function typeIn(cell: unknown): AskedType {
  if (cell === null || cell === "" || cell === 0) return "blank";
  if (typeof cell === "number") return Number.isInteger(cell) && cell > 0 ? { id: cell } : "invalid";
  if (typeof cell !== "string") return "invalid";
  const text = cell.trim();
  if (/^\d+$/.test(text)) return Number(text) > 0 ? { id: Number(text) } : "invalid";
  return text === "" ? "invalid" : { name: text };
}

export const cellsOf = (argument: unknown): unknown[] =>
  Array.isArray(argument) ? argument.flat() : [argument];

type Shows = (answer: Answer, type: WorldType) => boolean;

/**
 * Checks a formula's result against the service's answers, and throws a Lie if it is wrong. `conditions`: the ones that finds were
 * written with.
 */
export function checkCall(
  call: Call,
  world: World,
  oracle: Oracle,
  conditions: WrittenConditions,
): CheckedCall {
  const { name, args, outcome } = call;
  const checked: CheckedCall = { cells: 0, old: [] };
  const describe = () => `=${name}(${JSON.stringify(args).slice(1, -1)}) under ${call.key}`;
  const fail = (why: string): never => {
    throw new Lie(`${describe()}: ${why}`);
  };
  const rowsGiven = Array.isArray(outcome) ? (outcome as unknown[][]) : [[outcome]];
  const whole = rowsGiven.length === 1 && rowsGiven[0]?.length === 1 ? rowsGiven[0][0] : null;

  /** Checks that an error is true of the cell's question. */
  function checkError(
    cell: ExcelError,
    about: { jurisdiction?: Jurisdiction; type?: AskedType; collection?: string; isCollection?: boolean },
  ) {
    const kind = kindOfSentence(cell.message);
    // If a date could not be read, the formula says that the service cannot be reached, whatever the cause.
    const isOfDate = name === "CHANGED" || [args[2], args[3]].includes("updated_at");
    if (kind === "unreachable" && isOfDate && oracle.isTroubled(call)) return;
    if (!oracle.isTrue(kind, about, call)) fail(`${kind} is not true of ${JSON.stringify(about)}`);
  }

  const idsOf = (jurisdiction: Jurisdiction) => oracle.candidates(jurisdiction, call).map(({ id }) => id);

  function verdictOf(jurisdiction: Jurisdiction, type: AskedType, shows: Shows, showsNone = false): Verdict {
    return oracle.verdict(idsOf(jurisdiction), oracle.typeIds(type), call, (answer, { typeId }) => {
      const known = oracle.typeOf(typeId);
      return answer === null ? showsNone : known !== undefined && shows(answer, known);
    });
  }

  /** Checks one cell of a jurisdiction and a type. */
  function checkAnswer(
    cell: unknown,
    jurisdiction: Jurisdiction,
    type: AskedType,
    { shows, missing, isCollection = false }: { shows: Shows; missing?: unknown; isCollection?: boolean },
  ) {
    checked.cells += 1;
    if (jurisdiction === "blank" || type === "blank") {
      if (cell !== "") fail(`${String(cell)} where nothing was asked`);
      return;
    }
    if (isError(cell)) return checkError(cell, { jurisdiction, type, isCollection });
    const verdict = verdictOf(jurisdiction, type, shows, missing !== undefined && missing === cell);
    if (verdict === "fresh") return;
    // For an AHJ that nobody knows, a cell may say that there is no value.
    if (cell === missing && oracle.isTrue("no-value", { jurisdiction, type }, call)) return;
    const what = `${JSON.stringify(cell)} for ${JSON.stringify(jurisdiction)} and ${JSON.stringify(type)}`;
    if (verdict === "never") fail(`the service never said ${what}`);
    if (!oracle.isTroubled(call)) fail(`${what} is too old, and the service could be asked`);
    checked.old.push({ ahjIds: idsOf(jurisdiction), typeIds: oracle.typeIds(type) });
  }

  function checkAhjCells(
    cells: unknown[],
    jurisdiction: Jurisdiction,
    fieldsOf: (ahj: WorldAhj) => unknown[],
  ) {
    checked.cells += cells.length;
    if (jurisdiction === "blank") {
      if (cells.some((cell) => cell !== "")) fail("something where no jurisdiction was asked for");
      return;
    }
    const errors = cells.filter(isError);
    for (const error of errors) checkError(error, { jurisdiction });
    if (errors.length === cells.length) return;
    const candidates = oracle.candidates(jurisdiction, call);
    if (!candidates.some((ahj) => fieldsOf(ahj).every((field, index) => field === cells[index]))) {
      fail(`${JSON.stringify(cells)} is not what ${JSON.stringify(jurisdiction)} is`);
    }
  }

  /** True if the whole formula has failed: because of its other arguments, or of everything that it asks. */
  function checkWhole(about: { collection?: string }, isInvalid: boolean): boolean {
    if (!isError(whole)) return false;
    const kind: FailureKind = kindOfSentence(whole.message);
    if (kind === "invalid-argument" && isInvalid) return true;
    if (oracle.isTrue(kind, about, call)) return true;
    return false;
  }

  const jurisdictions = cellsOf(args[0]).map(jurisdictionIn);
  const types = cellsOf(args[1]).map(typeIn);

  function shape(rows: number, columns: number) {
    if (rowsGiven.length !== rows || rowsGiven.some((row) => row.length !== columns)) {
      fail(`${rowsGiven.length} x ${rowsGiven[0]?.length} cells where ${rows} x ${columns} were asked for`);
    }
  }

  function checkField(
    cell: unknown,
    jurisdiction: Jurisdiction,
    type: AskedType,
    field: string,
    missing?: unknown,
  ) {
    if (
      field === "status" &&
      typeof cell === "string" &&
      cell !== "ok" &&
      cell !== "old answer" &&
      cell !== ""
    ) {
      checked.cells += 1;
      const isTrue = kindsOfStatus(cell).some((kind) => oracle.isTrue(kind, { jurisdiction, type }, call));
      if (!isTrue) fail(`status ${cell} is not true of ${JSON.stringify([jurisdiction, type])}`);
      return;
    }
    if (field === "unit" && typeof cell === "string" && jurisdiction !== "blank" && type !== "blank") {
      checked.cells += 1;
      const ofTypes = oracle.typeIds(type).map((id) => oracle.typeOf(id)?.unit_of_measure);
      if (!ofTypes.includes(cell) && cell !== missing) fail(`the unit is not ${cell}`);
      return;
    }
    if (field === "question" && typeof cell === "string" && jurisdiction !== "blank" && type !== "blank") {
      checked.cells += 1;
      const ofTypes = oracle.typeIds(type).map((id) => oracle.typeOf(id)?.name);
      if (!ofTypes.includes(cell) && cell !== missing) fail(`the question is not ${cell}`);
      return;
    }
    const shows = (answer: Answer) => isField(field) && valueFields[field](answer, cell);
    const before = checked.old.length;
    checkAnswer(cell, jurisdiction, type, { shows, missing });
    if (field === "status" && cell === "ok" && checked.old.length > before)
      fail("an old answer is called ok");
  }

  const fieldOf = (given: unknown) =>
    given === null || given === "" || given === 0 ? "value" : String(given).trim().toLowerCase();

  if (name === "VALUE" || name === "CITATION" || name === "CARD") {
    const field = name === "VALUE" ? fieldOf(args[2]) : name === "CITATION" ? "citation" : "value";
    const missing = name === "VALUE" ? (args[3] ?? undefined) : name === "CITATION" ? "" : undefined;
    if (!isField(field) && checkWhole({}, true)) return checked;
    shape(jurisdictions.length, types.length);
    jurisdictions.forEach((jurisdiction, row) =>
      types.forEach((type, column) =>
        checkField(rowsGiven[row]?.[column], jurisdiction, type, field, missing),
      ),
    );
    return checked;
  }
  if (name === "CHANGED") {
    const [since] = [args[2]];
    if (since === null || since === "" || since === 0) {
      if (whole !== "") fail("something without a date");
      return checked;
    }
    const sinceMs = typeof since === "number" ? (since - 25_569) * 86_400_000 : Date.parse(String(since));
    if (Number.isNaN(sinceMs)) {
      if (!checkWhole({}, true)) fail("a date that is none");
      return checked;
    }
    shape(jurisdictions.length, types.length);
    jurisdictions.forEach((jurisdiction, row) =>
      types.forEach((type, column) =>
        checkAnswer(rowsGiven[row]?.[column], jurisdiction, type, {
          shows: ({ updatedAtMs }) => updatedAtMs > sinceMs === rowsGiven[row]?.[column],
        }),
      ),
    );
    return checked;
  }
  if (name === "MATRIX") {
    const field = fieldOf(args[3]);
    if (!isField(field) && checkWhole({}, true)) return checked;
    const hasHeaders = args[2] !== false;
    shape(jurisdictions.length + Number(hasHeaders), types.length + 2);
    if (hasHeaders) {
      const [, , ...headers] = rowsGiven[0] ?? [];
      types.forEach((type, column) => {
        const asked = cellsOf(args[1])[column];
        const names = oracle.typeIds(type).map((id) => oracle.typeOf(id)?.name);
        const header = headers[column];
        const isAsAsked = String(header).trim() === String(asked === 0 || asked === null ? "" : asked).trim();
        if (!names.includes(String(header)) && !isAsAsked && !isError(header))
          fail(`the header ${String(header)}`);
      });
    }
    jurisdictions.forEach((jurisdiction, down) => {
      const [ahjName, state, ...cells] = rowsGiven[down + Number(hasHeaders)] ?? [];
      checkAhjCells([ahjName, state], jurisdiction, (ahj) => [ahj.name, ahj.state_code]);
      types.forEach((type, column) => checkField(cells[column], jurisdiction, type, field));
    });
    return checked;
  }
  if (name === "AHJ") {
    const asked = cellsOf(args[1]);
    const fields = asked.map((field) =>
      field === null || field === "" || field === 0 ? "name" : String(field),
    );
    if (fields.some((field) => !(field in (world.ahjs[0] ?? {})))) {
      if (!checkWhole({}, true)) fail("a field that is none");
      return checked;
    }
    shape(jurisdictions.length, fields.length);
    jurisdictions.forEach((jurisdiction, row) =>
      checkAhjCells(rowsGiven[row] ?? [], jurisdiction, (ahj) =>
        fields.map((field) => ahj[field as keyof WorldAhj] ?? ""),
      ),
    );
    return checked;
  }
  if (name === "COLLECTION") return checkCollection();
  if (name === "GEOID") return checkName();
  if (name === "FIND") {
    checkFind(call, rowsGiven, whole, { world, oracle, conditions, checked, fail, checkError, checkField });
    return checked;
  }
  return checkList();

  /** Checks a name with its state, in one text or two, or alone. */
  function checkName(): CheckedCall {
    const { key } = call;
    const [place = "", state = cellsOf(args[1])[0] ?? null] = String(cellsOf(args[0])[0]).split(", ");
    checked.cells += 1;
    const namesakes = world.ahjs.filter(
      (ahj) => ahj.name === place && (state === null || ahj.state_code === state),
    );
    const surely = namesakes.filter(({ id }) => key !== null && !oracle.mayBeDenied(key, id, call));
    const may = namesakes.filter(({ id }) => key !== null && oracle.mayBeEntitled(key, id, call));
    if (isError(whole)) {
      const kind = kindOfSentence(whole.message);
      const isTrue =
        kind === "unknown-name"
          ? surely.length === 0
          : kind === "ambiguous-jurisdiction"
            ? may.length > 1
            : checkWhole({}, false);
      if (!isTrue) fail(`not true of the name: ${whole.message}`);
      return checked;
    }
    if (surely.length > 1) fail(`${surely.length} have this name, and it is said to be ${String(whole)}`);
    if (!may.some(({ id, geoid }) => whole === geoid || whole === `ahj:${id}`))
      fail(`${String(whole)} has another name`);
    return checked;
  }

  function checkCollection(): CheckedCall {
    const wanted = String(args[0] ?? "").trim();
    const rows = cellsOf(args[1]).map(jurisdictionIn);
    const isLong = String(args[2]).toLowerCase() === "long";
    if (rows.every((row) => row === "blank") || wanted === "" || wanted === "0") {
      if (whole !== "") fail("something of nothing");
      return checked;
    }
    if (isError(whole)) {
      if (!checkWhole({ collection: wanted }, false)) fail(`not true of the collection: ${whole.message}`);
      return checked;
    }
    const found = oracle.collections(call.key, wanted);
    if (found.length !== 1) return fail(`there are ${found.length} such collections`);
    const selected = found.flatMap(oracle.typesOf);
    const [header = [], ...body] = rowsGiven;
    if (!isLong) {
      const names = header.slice(2).map(String);
      // Only values show whether a type must pass both filters of a collection: without any value, either is possible.
      const mayMeanBoth = found.every(
        ({ data_point_type_ids, category_ids }) => data_point_type_ids.length > 0 && category_ids.length > 0,
      );
      const hasValue = (type: WorldType) =>
        rows.some((row) => {
          const ids = oracle.candidates(row, call).map(({ id }) => id);
          return oracle.verdict(ids, [type.id], call, (answer) => answer !== null) === "fresh";
        });
      for (const type of selected) {
        if (!names.includes(type.name) && (!mayMeanBoth || hasValue(type)))
          fail(`the column ${type.name} is missing`);
      }
      if (body.length !== rows.length) fail("not a row for each jurisdiction");
      rows.forEach((jurisdiction, row) => {
        const [ahjName, state, ...cells] = body[row] ?? [];
        checkAhjCells([ahjName, state], jurisdiction, (ahj) => [ahj.name, ahj.state_code]);
        names.forEach((typeName, column) => {
          const cell = cells[column];
          const shows = (answer: Answer) => answer.published.formula === cell;
          checkAnswer(cell, jurisdiction, typeNamed(typeName), { shows, isCollection: true });
        });
      });
      return checked;
    }
    const isWhoIsNamedIn =
      ([ahjName, state, geoid]: readonly unknown[]) =>
      (ahj: WorldAhj) =>
        ahj.name === ahjName && ahj.state_code === state && (ahj.geoid ?? "") === geoid;
    for (const [ahjName, state, geoid, question, value, unit, reference, section, updated] of body) {
      const shows: Shows = (answer, type) =>
        answer.published.formula === value &&
        (answer.reference ?? "") === reference &&
        (answer.section ?? "") === section &&
        type.unit_of_measure === unit &&
        Date.parse(String(updated)) === answer.updatedAtMs;
      const abouts = rows.filter((row) => {
        if (typeof row === "string") return false;
        if (isError(ahjName)) return geoid === writtenAs(row);
        return oracle.candidates(row, call).some(isWhoIsNamedIn([ahjName, state, geoid]));
      });
      // Several of the asked jurisdictions may fit: the row means the one whose facts it shows.
      const isWhoIsShown = (row: Jurisdiction) =>
        isError(value)
          ? oracle.isTrue(kindOfSentence(value.message), { jurisdiction: row, isCollection: true }, call)
          : verdictOf(row, typeNamed(String(question)), shows) !== "never";
      const about = abouts.find(isWhoIsShown) ?? abouts[0];
      if (!about) {
        if (isError(value) && rows.includes("invalid")) continue;
        return fail(`${String(ahjName)} was not asked for`);
      }
      if (isError(ahjName)) {
        checkError(ahjName, { jurisdiction: about });
        continue;
      }
      if (isError(value)) {
        checkError(value, { jurisdiction: about, isCollection: true });
        continue;
      }
      checkAnswer(value, about, typeNamed(String(question)), { shows, isCollection: true });
    }
    for (const row of rows) {
      if (typeof row === "string") continue;
      const isThere = body.some(([ahjName, state, geoid]) =>
        isError(ahjName)
          ? geoid === writtenAs(row)
          : oracle.candidates(row, call).some(isWhoIsNamedIn([ahjName, state, geoid])),
      );
      if (!isThere) fail(`nothing is said of ${JSON.stringify(row)}`);
    }
    return checked;
  }

  /** The type with the name in a header; several types may share it. */
  function typeNamed(typeName: string): AskedType {
    const ids = world.types.filter((type) => type.name === typeName);
    if (ids.length === 0) return fail(`there is no type ${typeName}`);
    return { name: typeName };
  }

  function checkList(): CheckedCall {
    if (isError(whole)) {
      const kind = kindOfSentence(whole.message);
      if (kind !== "nothing-found" && !checkWhole({}, false)) fail(`not true: ${whole.message}`);
      return checked;
    }
    const [, ...body] = rowsGiven;
    checked.cells += body.length;
    const ids = body.map(([first]) => first);
    const expect = (all: readonly unknown[], surely = all) => {
      for (const id of ids) if (!all.includes(id)) fail(`${String(id)} is listed`);
      for (const id of surely) if (!ids.includes(id)) fail(`${String(id)} is not listed`);
      if (new Set(ids).size !== ids.length) fail("something is listed twice");
    };
    const { key } = call;
    if (key === null) return fail("a list without a key");
    if (name === "TYPES") expect(world.types.map(({ id }) => id));
    if (name === "CATEGORIES") expect(world.categories.map(({ id }) => id));
    if (name === "COLLECTIONS") {
      expect(world.subscribers.find((each) => each.key === key)?.collections.map(({ id }) => id) ?? []);
    }
    if (name === "AHJS") {
      const ofState = world.ahjs.filter(({ state_code }) => args[0] === null || state_code === args[0]);
      const may = ofState.filter(({ id }) => oracle.mayBeEntitled(key, id, call));
      const surely = may.filter(({ id }) => !oracle.mayBeDenied(key, id, call));
      expect(
        may.map(({ id }) => id),
        surely.map(({ id }) => id),
      );
      for (const [id, ahjName, kind, state, geoid] of body) {
        const ahj = world.ahjs.find((each) => each.id === id);
        if (
          ahjName !== ahj?.name ||
          kind !== ahj?.type ||
          state !== ahj?.state_code ||
          geoid !== (ahj?.geoid ?? "")
        ) {
          fail(`AHJ ${String(id)} is something else`);
        }
      }
    }
    return checked;
  }
}
