import type { Ahj } from "../../engine/api/schemas";
import { isPlaceName } from "../../engine/lookup/directory/geoid";
import type { Successors } from "../../engine/lookup/lists/successors";
import type { AhjName, TypeName } from "../../engine/lookup/lookup";
import { Failure, type FailureKind } from "../../errors";
import type { AskedByFormula } from "../cell-formulas/asked-by-formulas";
import { placeName } from "../imports/refresh/place-name";
import type { CellArea } from "../sheet/cells/formula-search";
import { addressOf } from "../sheet/layout/cell-address";
import type { RowAhj } from "../sheet/layout/table-plan";

/** The formulas and imports of a workbook as they were read, before anything is looked up. */
export interface ReadUses {
  formulas: readonly AskedByFormula[];
  imports: readonly ReadImport[];
}

/** An import with the jurisdictions of its rows and the questions of its columns. */
export interface ReadImport {
  name: string;
  tableId: string;
  /** Null if its table is gone. */
  address: string | null;
  /** The time since which the service may have changed answers that it shows. */
  asOfMs: number;
  rows: number;
  ahjs: readonly RowAhj[];
  types: readonly NamedType[];
  /** The reason why its rows could not be read; null if they were. */
  failure: Failure | null;
}

interface NamedType {
  id: number;
  name: string;
}

/** The words of directory and catalogue on the names in use. A name that is missing was not looked up. */
export interface UsesLookedUp {
  ahjs: ReadonlyMap<AhjName, Ahj | Failure>;
  types: ReadonlyMap<TypeName, NamedType | Failure>;
  /** The fate of codes and names that the directory lacks, as far as it is known. */
  successors: ReadonlyMap<AhjName, Successors>;
  /** When the answer that this device holds in memory was fetched; undefined if it holds none. */
  fetchedAtMs?: ((ahjId: number, typeId: number) => number | undefined) | undefined;
}

/** The names that are to be looked up. */
export interface UsedNames {
  ahjs: AhjName[];
  /** The geoIDs that imports hold, by AHJ id. */
  geoids: ReadonlyMap<number, string>;
  types: TypeName[];
}

/** A place of the workbook to which a person can go. */
export type UsePlace = { address: string } & ({ cell: CellArea } | { tableId: string });

/**
 * The state of a name that is in use. "gone" is one that directory or catalogue lack, "outside" one that the key's subscription does
 * not cover, and "unclear" one that may mean several.
 */
export type Standing = "there" | "gone" | "outside" | "unclear" | "not-looked-up";

/** A jurisdiction, a question or an argument, and what uses it. */
export interface Use {
  /** "" if it is not known. */
  name: string;
  /** The geoID, `ahj:` with an id, or the question's id; "" if it is not known. */
  code: string;
  /** The number of formulas that name it. */
  formulas: number;
  /** The names of the imports that hold it. */
  imports: string[];
  /** The first cells with formulas, and the first tables. */
  places: UsePlace[];
  standing: Standing;
  /** Sentences on why it is not there, with the next step; "" if it is there or nothing is known. */
  why: string;
  /** The geoIDs that may be meant now. */
  successors: readonly string[];
}

export interface BookUses {
  formulas: number;
  imports: readonly ReadImport[];
  places: Use[];
  questions: Use[];
  /** The arguments of which it can't be told what they name. */
  untold: Use[];
  /** True if directory and catalogue told something. */
  isLookedUp: boolean;
  /** The age of the imports' answers; null if there are none. */
  oldestMs: number | null;
  newestMs: number | null;
  /** The time of the oldest answer that this device holds for the formulas; null if it holds none. */
  formulasOldestMs: number | null;
}

/** The first places that are kept of each use, of each kind. */
const mostPlaces = 5;
/** The most answers whose age is looked up: a workbook of large formulas has millions. */
const mostAges = 200_000;
const mostFormulaCharacters = 200;

/** The names that formulas and imports use, each once. */
export function namesIn({ formulas, imports }: ReadUses): UsedNames {
  const ahjs = new Set<AhjName>();
  const types = new Set<TypeName>();
  const geoids = new Map<number, string>();
  for (const { calls } of formulas)
    for (const call of calls) {
      for (const name of call.jurisdictions) ahjs.add(name);
      for (const type of call.types) types.add(type);
    }
  for (const each of imports) {
    for (const { id, geoid } of each.ahjs) {
      ahjs.add(id);
      if (geoid !== null && !isPlaceName(geoid)) geoids.set(id, geoid);
    }
    for (const { id } of each.types) types.add(id);
  }
  return { ahjs: [...ahjs], geoids, types: [...types] };
}

/** The use of one thing, while it is counted. */
interface Tally extends Use {
  /** The last formula that counted. A formula counts once, however often it names the thing. */
  last: AskedByFormula | undefined;
  tables: number;
}

/**
 * The places and questions that a workbook uses, with what uses them. Different names in formulas count as one thing if directory or imports
 * say so. Pauses after each formula and import. `looked` is null if nothing was looked up.
 */
export function* planUses(
  { formulas, imports }: ReadUses,
  looked: UsesLookedUp | null,
): Generator<void, BookUses> {
  const places = new Map<string, Tally>();
  const questions = new Map<string, Tally>();
  const untold = new Map<string, Tally>();
  const idOfGeoid = new Map<string, number>();
  const typeNames = new Map<number, string>();
  for (const { ahjs, types } of imports) {
    yield;
    for (const { id, geoid } of ahjs) if (geoid !== null) idOfGeoid.set(geoid, id);
    for (const { id, name } of types) typeNames.set(id, name);
  }

  function placeOf(name: AhjName, row?: RowAhj): Tally {
    const outcome = looked?.ahjs.get(name);
    const found = outcome instanceof Failure ? undefined : outcome;
    const id = found?.id ?? (typeof name === "number" ? name : idOfGeoid.get(name));
    const tally = tallyOf(places, id === undefined ? String(name) : `ahj:${id}`);
    const known = found ?? row;
    if (known) {
      tally.name = placeName(known);
      tally.code = known.geoid ?? `ahj:${known.id}`;
    } else if (tally.name === "" && tally.code === "") {
      if (typeof name === "string" && isPlaceName(name)) tally.name = name;
      else tally.code = typeof name === "number" ? `ahj:${name}` : name;
    }
    stand(tally, outcome, looked?.successors.get(name));
    return tally;
  }

  function questionOf(type: TypeName): Tally {
    const outcome = looked?.types.get(type);
    const found = outcome instanceof Failure ? undefined : outcome;
    const id = found?.id ?? (typeof type === "number" ? type : undefined);
    const tally = tallyOf(questions, id === undefined ? `name ${String(type).toLowerCase()}` : String(id));
    tally.name = found?.name ?? (id === undefined ? String(type) : (typeNames.get(id) ?? tally.name));
    if (id !== undefined) tally.code = String(id);
    stand(tally, outcome);
    return tally;
  }

  function noteUntold(formula: AskedByFormula, name: string, why: string) {
    const tally = tallyOf(untold, `${name}\n${why}`);
    Object.assign(tally, { name, why });
    countFormula(tally, formula);
  }

  let [ages, formulasOldestMs] = [0, Infinity];
  function noteAges(asked: readonly (number | undefined)[], types: readonly (number | undefined)[]) {
    for (const ahjId of asked)
      for (const typeId of types) {
        if (ahjId === undefined || typeId === undefined || ages >= mostAges) continue;
        ages += 1;
        formulasOldestMs = Math.min(formulasOldestMs, looked?.fetchedAtMs?.(ahjId, typeId) ?? Infinity);
      }
  }
  const idOf = (outcome: { id: number } | Failure | undefined, name: AhjName | TypeName) =>
    outcome && !(outcome instanceof Failure) ? outcome.id : typeof name === "number" ? name : undefined;

  for (const formula of formulas) {
    yield;
    for (const call of formula.calls) {
      for (const name of call.jurisdictions) countFormula(placeOf(name), formula);
      for (const type of call.types) countFormula(questionOf(type), formula);
      for (const text of call.untold) noteUntold(formula, text, calculated);
      for (const { detail, message } of call.refused) noteUntold(formula, detail ?? message, refused);
      if (call.name === "COLLECTION") noteUntold(formula, call.name, ofCollection);
      noteAges(
        call.jurisdictions.map((name) => idOf(looked?.ahjs.get(name), name)),
        call.types.map((type) => idOf(looked?.types.get(type), type)),
      );
    }
    if (formula.unread > 0)
      noteUntold(formula, formula.cell.formula.slice(0, mostFormulaCharacters), unreadable);
  }
  for (const each of imports) {
    yield;
    for (const ahj of each.ahjs) countImport(placeOf(ahj.id, ahj), each);
    for (const { id } of each.types) countImport(questionOf(id), each);
  }

  const times = imports.map(({ asOfMs }) => asOfMs);
  const extreme = (pick: (one: number, other: number) => number) =>
    times.length === 0 ? null : times.reduce((one, other) => pick(one, other));
  const named = [...places.values(), ...questions.values()];
  const isTold = ({ standing }: Use) => standing !== "not-looked-up";
  return {
    formulas: formulas.length,
    imports,
    places: usesIn(places),
    questions: usesIn(questions),
    untold: usesIn(untold),
    isLookedUp: looked !== null && (named.length === 0 || named.some(isTold)),
    oldestMs: extreme(Math.min),
    newestMs: extreme(Math.max),
    formulasOldestMs: formulasOldestMs === Infinity ? null : formulasOldestMs,
  };
}

const calculated = "A calculation or a name: only Excel knows what it stands for.";
const refused = "Its formula takes it for no place and no question.";
const ofCollection = "Its questions are those of the collection, which the service knows.";
const unreadable = "A call in this formula could not be read.";

function tallyOf(tallies: Map<string, Tally>, key: string): Tally {
  let tally = tallies.get(key);
  if (!tally) {
    tally = {
      ...{ name: "", code: "", formulas: 0, imports: [], places: [], successors: [], why: "" },
      ...{ standing: "not-looked-up", last: undefined, tables: 0 },
    };
    tallies.set(key, tally);
  }
  return tally;
}

function usesIn(tallies: ReadonlyMap<string, Tally>): Use[] {
  return [...tallies.values()].map(({ last: _, tables: __, ...use }) => use);
}

function countFormula(tally: Tally, formula: AskedByFormula) {
  if (tally.last === formula) return;
  tally.last = formula;
  tally.formulas += 1;
  const { cell } = formula;
  if (tally.formulas <= mostPlaces) tally.places.push({ address: addressOf(cell), cell });
}

function countImport(tally: Tally, { name, address, tableId }: ReadImport) {
  tally.imports.push(name);
  if (address === null || tally.tables >= mostPlaces) return;
  tally.tables += 1;
  tally.places.push({ address, tableId });
}

const standings: Partial<Record<FailureKind, Standing>> = {
  "unknown-jurisdiction": "gone",
  "unknown-name": "gone",
  "not-a-geoid": "gone",
  "unknown-type": "gone",
  "outside-subscription": "outside",
  "maybe-outside-subscription": "outside",
  "unresolved-jurisdiction": "unclear",
  "ambiguous-jurisdiction": "unclear",
  "ambiguous-name": "unclear",
};

/** Notes what was said about a name. Another name of the same thing may have been found already. */
function stand(tally: Tally, outcome: object | undefined, successors?: Successors) {
  if (outcome === undefined || tally.standing === "there") return;
  if (!(outcome instanceof Failure)) {
    Object.assign(tally, { standing: "there", why: "", successors: [] });
    return;
  }
  tally.standing = standings[outcome.kind] ?? "not-looked-up";
  tally.why = successors ? `${successors.sentence} ${successors.nextStep}` : outcome.message;
  tally.successors = successors?.geoids ?? [];
}
