import { leavesBlank } from "../../engine/absence";
import { Failure, isUnavailable } from "../../errors";
import type { AhjName, LookedUp, Lookup, Question, TypeName } from "../../engine/lookup/lookup";
import { type AskedDependencies, type AskedGrid, askedByFormulas } from "../cell-formulas/asked-by-formulas";
import type { FormulaCell } from "../sheet/cells/formula-search";
import type { LastKnownValues } from "./last-known-values";

export interface Collected {
  values: LastKnownValues;
  /** The number of answers that this device does not hold, so that they can't travel. */
  notKept: number;
  /** Formulas that give lists or collections, or whose arguments can't be told without calculating. */
  left: FormulaCell[];
}

export interface CollectDependencies extends AskedDependencies {
  lookup: Pick<Lookup, "ask">;
}

/** The answers to these formulas, and no others, that this device holds. The service is asked nothing. */
export async function collectValues(
  cells: readonly FormulaCell[],
  { workbook, lookup, namespace, signal }: CollectDependencies,
): Promise<Collected> {
  const asked = createAsked();
  const left: FormulaCell[] = [];
  for (const { cell, grids, isWhole } of await askedByFormulas(cells, { workbook, namespace, signal })) {
    if (!isWhole) left.push(cell);
    for (const grid of grids) asked.add(grid);
  }
  const wants = { questions: asked.questions(), ahjs: asked.ahjs(), types: asked.types() };
  const found = await lookup.ask(wants, { keptOnly: true, signal });
  const { details } = await lookup.ask({ details: asked.detailed() }, { keptOnly: true, signal });
  return { ...valuesOf(wants, { ...found, details }), left };
}

/** Collects the questions of formulas, each once. */
function createAsked() {
  const ahjs = new Set<AhjName>();
  const types = new Set<TypeName>();
  const detailed = new Set<AhjName>();
  const wanted = new Map<AhjName, Set<TypeName>>();
  return {
    add({ jurisdictions, types: ofCall, isDetailed }: AskedGrid) {
      for (const ahj of jurisdictions) {
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

function valuesOf(
  asked: { questions: Question[]; ahjs: AhjName[]; types: TypeName[] },
  found: LookedUp,
): { values: LastKnownValues; notKept: number } {
  const nowMs = Date.now();
  const ahjs = new Map<number, LastKnownValues["ahjs"][number]>();
  const types = new Map<number, LastKnownValues["types"][number]>();
  const ahjNames = new Map<string, number>();
  const typeNames = new Map<string, number>();
  const answers = new Map<string, LastKnownValues["answers"][number]>();
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
      if (leavesBlank(answer.kind)) answers.set(`${ahjId} ${typeId}`, { ...place, ...nothing });
      return;
    }
    const { value, reference, section, updatedAt, fetchedAtMs } = answer.cell;
    types.set(answer.type.id, answer.type);
    oldestMs = Math.min(oldestMs, fetchedAtMs);
    answers.set(`${ahjId} ${typeId}`, { ...place, value, reference, section, updatedAt });
  });
  const values: LastKnownValues = {
    atMs: nowMs,
    oldestMs,
    ahjs: [...ahjs.values()],
    details: found.details.flatMap((detail) => (detail instanceof Failure ? [] : [detail])),
    types: [...types.values()],
    ahjNames: [...ahjNames],
    typeNames: [...typeNames],
    answers: [...answers.values()],
  };
  // Jurisdictions that are only in formulas without types have no question, so they are counted here.
  const isAsked = new Set(asked.questions.map(({ ahj }) => ahj));
  const ahjsLacking = asked.ahjs.filter((name, index) => !isAsked.has(name) && isLacking(found.ahjs[index]));
  return { values, notKept: notKept + ahjsLacking.length };
}

const nothing = { value: null, reference: null, section: null, updatedAt: null };
