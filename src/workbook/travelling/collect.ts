import { partsOf } from "../../lists";
import { Failure, isUnavailable } from "../../errors";
import { formulaFunctions, isFormulaFunction } from "../formula-text/formula-functions";
import { jurisdictionOf, typeOf } from "../../engine/lookup/asked-names";
import type { AhjName, Found, Lookup, Question, TypeName } from "../../engine/lookup/lookup";
import { type FormulaCall, formulaCalls } from "../formula-text/formula-call";
import { callCount, type FormulaCell } from "../sheet/cells/formula-search";
import type { Workbook } from "../sheet/workbook";
import type { TravellingValues } from "./travelling-values";

export interface Collected {
  values: TravellingValues;
  /** Answers that this device does not keep: they can't travel. */
  notKept: number;
  /** Formulas that give lists or collections, or whose arguments can't be told without calculating. */
  left: FormulaCell[];
}

export interface CollectDoors {
  workbook: Pick<Workbook, "valuesAt">;
  lookup: Pick<Lookup, "ask">;
  /** Of the add-in's functions. */
  namespace: string;
  signal?: AbortSignal | undefined;
}

/** What is kept of the answers to these formulas, and of no others; the service is asked nothing. */
export async function collectValues(
  cells: readonly FormulaCell[],
  { workbook, lookup, namespace, signal }: CollectDoors,
): Promise<Collected> {
  const formulas = cells.map((cell) => ({ cell, calls: formulaCalls(cell.formula, namespace) }));
  const contents = await readCells(formulas, workbook, signal);
  const asked = createAsked();
  const left: FormulaCell[] = [];
  for (const { cell, calls } of formulas) {
    const isRead = calls.length > 0 && calls.length === callCount(cell.formula, namespace);
    const grids = calls.map((call) => gridOf(call, (address) => contents.get(cell.sheetId)?.get(address)));
    if (!isRead || grids.includes(null)) left.push(cell);
    for (const grid of grids) if (grid) asked.add(grid);
  }
  const wants = { questions: asked.questions(), ahjs: asked.ahjs(), types: asked.types() };
  const found = await lookup.ask(wants, { keptOnly: true, signal });
  const { details } = await lookup.ask({ details: asked.detailed() }, { keptOnly: true, signal });
  return { ...valuesOf(wants, { ...found, details }), left };
}

/** The arguments that tell what is asked, cell by cell. */
interface AskedGrid {
  jurisdictions: unknown[];
  types: unknown[];
  /** It asks for the jurisdiction itself. */
  isDetailed: boolean;
}

/** Null where the arguments can't be told without calculating, and for what gives no answers of jurisdictions. */
function gridOf(call: FormulaCall, cellsAt: (address: string) => unknown[] | null | undefined) {
  const roles = rolesOf(call);
  if (!roles) return null;
  const valuesOf = (role: "jurisdictions" | "types"): unknown[] | null => {
    const argument = call.args[roles.indexOf(role)];
    if (!argument || argument.kind === "omitted") return [];
    if (argument.kind === "cells") return cellsAt(argument.address) ?? null;
    return argument.kind === "value" ? [argument.value].flat(2) : null;
  };
  const [jurisdictions, types] = [valuesOf("jurisdictions"), valuesOf("types")];
  const grid: AskedGrid | null = jurisdictions &&
    types && { jurisdictions, types, isDetailed: call.name === "AHJ" };
  return grid;
}

function rolesOf({ name }: FormulaCall): readonly string[] | null {
  if (name === "AHJ") return ["jurisdictions"];
  return isFormulaFunction(name) && name !== "COLLECTION" ? formulaFunctions[name] : null;
}

/** What the cells hold that arguments refer to, by sheet and by address as it stands in formulas. */
async function readCells(
  formulas: readonly { cell: FormulaCell; calls: readonly FormulaCall[] }[],
  workbook: Pick<Workbook, "valuesAt">,
  signal: AbortSignal | undefined,
) {
  const addresses = new Map<string, Set<string>>();
  for (const { cell, calls } of formulas) {
    const ofSheet = addresses.get(cell.sheetId) ?? new Set<string>();
    addresses.set(cell.sheetId, ofSheet);
    for (const { args } of calls) {
      for (const argument of args) if (argument.kind === "cells") ofSheet.add(argument.address);
    }
  }
  const contents = new Map<string, Map<string, unknown[] | null>>();
  for (const [sheetId, ofSheet] of addresses) {
    const read = new Map<string, unknown[] | null>();
    contents.set(sheetId, read);
    for (const part of partsOf([...ofSheet], addressesAtOnce)) {
      if (signal?.aborted) throw new Failure("cancelled");
      const values = await workbook.valuesAt(sheetId, part);
      part.forEach((address, index) => read.set(address, values[index]?.flat() ?? null));
    }
  }
  return contents;
}

/** Most are single cells. */
const addressesAtOnce = 500;

/** Collects what is asked, each once. */
function createAsked() {
  const ahjs = new Set<AhjName>();
  const types = new Set<TypeName>();
  const detailed = new Set<AhjName>();
  const wanted = new Map<AhjName, Set<TypeName>>();
  return {
    add({ jurisdictions, types: typeCells, isDetailed }: AskedGrid) {
      const ofCall = typeCells.map(typeOf).filter(isThere);
      for (const ahj of jurisdictions.map(jurisdictionOf).filter(isThere)) {
        ahjs.add(ahj);
        if (isDetailed) detailed.add(ahj);
        const ofAhj = wanted.get(ahj) ?? new Set();
        wanted.set(ahj, ofAhj);
        for (const type of ofCall) {
          types.add(type);
          ofAhj.add(type);
        }
      }
    },
    questions: (): Question[] =>
      [...wanted].flatMap(([ahj, ofAhj]) => [...ofAhj].map((type) => ({ ahj, type }))),
    ahjs: () => [...ahjs],
    types: () => [...types],
    detailed: () => [...detailed],
  };
}

/** Not blank, and nothing that the formula refuses. */
function isThere<Thing>(cell: Thing | Failure | null): cell is Thing {
  return cell !== null && !(cell instanceof Failure);
}

function valuesOf(
  asked: { questions: Question[]; ahjs: AhjName[]; types: TypeName[] },
  found: Found,
): { values: TravellingValues; notKept: number } {
  const nowMs = Date.now();
  const ahjs = new Map<number, TravellingValues["ahjs"][number]>();
  const types = new Map<number, TravellingValues["types"][number]>();
  const ahjNames = new Map<string, number>();
  const typeNames = new Map<string, number>();
  const answers = new Map<string, TravellingValues["answers"][number]>();
  let oldestMs = nowMs;
  let notKept = 0;
  const isLacking = (outcome: unknown) => outcome instanceof Failure && isUnavailable(outcome);

  asked.ahjs.forEach((name, index) => {
    const ahj = found.ahjs[index];
    if (!ahj || ahj instanceof Failure) return;
    ahjs.set(ahj.id, ahj);
    if (typeof name === "string") ahjNames.set(name, ahj.id);
  });
  asked.types.forEach((name, index) => {
    const type = found.types[index];
    if (!type) return;
    types.set(type.id, type);
    if (typeof name === "string") typeNames.set(name, type.id);
  });
  asked.questions.forEach(({ ahj, type }, index) => {
    const answer = found.values[index];
    if (isLacking(answer)) notKept += 1;
    const ahjId = typeof ahj === "string" ? ahjNames.get(ahj) : ahj;
    const typeId = typeof type === "string" ? typeNames.get(type) : type;
    if (!answer || ahjId === undefined || typeId === undefined) return;
    const place = { ahjId, typeId };
    if (answer instanceof Failure) {
      if (answer.kind === "no-value") answers.set(`${ahjId} ${typeId}`, { ...place, ...nothing });
      return;
    }
    const { value, reference, section, updatedAt, fetchedAtMs } = answer.cell;
    types.set(answer.type.id, answer.type);
    oldestMs = Math.min(oldestMs, fetchedAtMs);
    answers.set(`${ahjId} ${typeId}`, { ...place, value, reference, section, updatedAt });
  });
  const values: TravellingValues = {
    ...{ atMs: nowMs, oldestMs },
    ahjs: [...ahjs.values()],
    details: found.details.filter(isThere),
    types: [...types.values()],
    ahjNames: [...ahjNames],
    typeNames: [...typeNames],
    answers: [...answers.values()],
  };
  // Formulas that ask for jurisdictions alone lack these.
  const isAsked = new Set(asked.questions.map(({ ahj }) => ahj));
  const ahjsLacking = asked.ahjs.filter((name, index) => !isAsked.has(name) && isLacking(found.ahjs[index]));
  return { values, notKept: notKept + ahjsLacking.length };
}

const nothing = { value: null, reference: null, section: null, updatedAt: null };
