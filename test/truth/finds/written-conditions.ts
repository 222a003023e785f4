import { typeIn } from "../calls";
import type { Random } from "../random";
import type { Answer, World, WorldType } from "../world";
import { inventCondition, saysOf, type Verdict } from "./comparator";

/** A cell of the conditions, as a user writes it. */
export type WrittenCell = string | number | boolean;

type Judge = (answer: Answer | null, nowMs: number) => Verdict;

/** A usable condition, with the test's own judgment of an answer. */
export interface WrittenCondition {
  type: WorldType;
  judge: Judge;
}

/** The conditions with which a case's finds are written. */
export interface WrittenConditions {
  /** Invents a question, an operator and a value: mostly a usable condition. */
  invent(random: Random, question: string | number, nowMs: number): WrittenCell[];
  /** Reads a range of conditions without its blank rows; `refused` lists the unusable rows, from 1 on. */
  read(rows: readonly (readonly unknown[])[]): { conditions: WrittenCondition[]; refused: number[] };
}

type Usable = [operator: string, value: WrittenCell, judge: Judge];

const dayMs = 86_400_000;
/** Excel counts days from 1899-12-30. */
const serialOf = (day: string) => Date.parse(day) / dayMs + 25_569;

const isBlank = (cell: unknown) =>
  cell === null || cell === undefined || cell === 0 || (typeof cell === "string" && cell.trim() === "");

/** Finds the judge of a condition by its question and its two other cells: the same cells always mean the same condition. */
export function createWrittenConditions(world: World): WrittenConditions {
  const judges = new Map<string, Judge | "refused">();
  const keyOf = (typeId: number, operator: unknown, value: unknown) =>
    JSON.stringify([typeId, ...[operator, value].map((cell) => (isBlank(cell) ? "" : cell))]);
  /** The one question that a cell means. */
  function typeOf(question: unknown): WorldType | undefined {
    const asked = typeIn(question);
    if (typeof asked === "string") return undefined;
    const types = world.types.filter((type) =>
      "id" in asked ? type.id === asked.id : type.name === asked.name,
    );
    return types.length === 1 ? types[0] : undefined;
  }

  return {
    invent(random, question, nowMs) {
      const type = typeOf(question);
      if (!type) return [question, "at most", 300];
      const [operator, value, judge] = random.chance(0.06)
        ? ([...unusable(random, type.unit_of_measure), "refused"] as const)
        : usable(random, type, nowMs);
      judges.set(keyOf(type.id, operator, value), judge);
      return [question, operator, value];
    },
    read(rows) {
      const conditions: WrittenCondition[] = [];
      const refused: number[] = [];
      for (const [index, cells] of rows.entries()) {
        if (cells.every(isBlank)) continue;
        const [question, operator, value] = cells;
        const type = typeOf(question);
        const judge = type && judges.get(keyOf(type.id, operator, value));
        if (type && !judge) throw new Error(`nobody wrote the condition ${JSON.stringify(cells)}`);
        if (type && judge && judge !== "refused") conditions.push({ type, judge });
        else refused.push(index + 1);
      }
      return { conditions, refused };
    },
  };
}

function usable(random: Random, type: WorldType, nowMs: number): Usable {
  const unit = type.unit_of_measure;
  if (unit === "boolean" && random.chance(0.2)) return isTrueOrFalse(random);
  if (random.chance(0.04)) return changedBeforeSerial(random, nowMs);
  const { operator, operand, judge } = inventCondition(random, type, nowMs);
  const written = random.chance(0.2) ? operator.toUpperCase() : operator;
  const number = random.chance(0.5) ? asNumber(unit, operator, operand) : null;
  return [written, number ?? operand, judge];
}

/** A condition with Excel's TRUE or FALSE, for a question that is answered with yes or no. */
function isTrueOrFalse(random: Random): Usable {
  const wanted = random.chance(0.5);
  return [
    "is",
    wanted,
    (answer) => {
      const says = answer && saysOf("boolean", answer.published.text);
      if (!says || !("yes" in says)) return "not known";
      return says.yes === wanted ? "yes" : "no";
    },
  ];
}

/** The condition "older than" with a day, which Excel gives as a number: the answer was last changed before that day. */
function changedBeforeSerial(random: Random, nowMs: number): Usable {
  const fromMs = Math.floor(nowMs / dayMs) * dayMs - random.whole(0, 3) * dayMs;
  const serial = serialOf(new Date(fromMs).toISOString().slice(0, 10));
  const judge: Judge = (answer) => (answer ? (answer.updatedAtMs < fromMs ? "yes" : "no") : "not known");
  return ["older than", serial, judge];
}

/** Excel's number for a value; null if it has none, or must be written as text. */
function asNumber(unit: string, operator: string, operand: string): number | null {
  const isLimit = ["at least", "at most", "=", "<>"].includes(operator);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(operand);
  if (isDay && (operator.startsWith("was updated") || (isLimit && unit === "date"))) return serialOf(operand);
  if (!isLimit || operand === "0" || operand === "0%") return null;
  if (unit === "percent") {
    const share = Number((Number(operand.replace("%", "")) / 100).toFixed(6));
    return share <= 2 ? share : null;
  }
  const isFigure = /^\d+(?:\.\d+)?$/.test(operand);
  return isFigure && ["USD", "days", "feet", "kW"].includes(unit) ? Number(operand) : null;
}

/** A condition that docs/find.md calls unusable. */
function unusable(random: Random, unit: string): [operator: string, value: WrittenCell] {
  const isOrdered = ["USD", "days", "feet", "kW", "percent", "date", "code edition"].includes(unit);
  return random.one<[string, WrittenCell]>([
    ["roughly", 5],
    ["", 5],
    ["contains", ""],
    ["at most", ""],
    ["has a value", "yes"],
    ["older than", "some time"],
    ["was updated after", "spring"],
    ["at least", "soon"],
    ["between", "soon to later"],
    ...(isOrdered
      ? [["is yes", ""] as [string, WrittenCell]]
      : [["at most", "$300"] as [string, WrittenCell]]),
    ...(unit === "percent" ? [["at most", 33] as [string, WrittenCell]] : []),
  ]);
}
