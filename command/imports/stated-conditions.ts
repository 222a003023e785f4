import type { Session } from "../../src/app";
import type { DataPointType } from "../../src/engine/api/schemas";
import type { ExchangeOptions } from "../../src/engine/transport/exchange";
import { Failure } from "../../src/errors";
import { type Condition, testOf } from "../../src/find/conditions/condition";
import {
  conditionWordsOf,
  operatorLabel,
  operatorReadings,
  operators,
  operatorsFor,
} from "../../src/find/conditions/operators";
import { allNamed } from "../../src/engine/lookup/catalogue/catalogue";
import { nearOnes } from "./named-questions";
import { config } from "../../src/config";
import { answerKind } from "../../src/find/readings/answer-reading";
import { CommandFailure } from "../command-failure";
import { printableLine } from "../output/printable";

/**
 * Reads conditions from texts: question (id or whole name), operator, value, such as `1057 at most 300` (docs/find.md). Fails with a
 * CommandFailure "usage" that names the text and its mistake.
 */
export async function conditionsOf(
  texts: readonly string[],
  { lookup }: Session,
  { nowMs, ...options }: ExchangeOptions & { nowMs: number },
): Promise<Condition[]> {
  if (texts.length > config.mostConditions)
    throw new CommandFailure("usage", `There are more than ${config.mostConditions} conditions.`);
  const types = await lookup.catalogue.types(options);
  return texts.map((text) => {
    const condition = conditionIn(text, types, nowMs);
    if (condition instanceof Failure)
      throw new CommandFailure("usage", `--if "${printableLine(text, 120)}": ${condition.detail}`);
    return condition;
  });
}

/** The condition with the longest question and operator that can be used; if none can, the reason why the longest one can't. */
function conditionIn(text: string, types: readonly DataPointType[], nowMs: number): Condition | Failure {
  const words = conditionWordsOf(text);
  const places = words.map((_, index) => index).reverse();
  const found = places.flatMap((at) => {
    const named = typesOf(words.slice(0, at + 1).join(" "), types);
    return named.length > 0 ? [{ named, rest: words.slice(at + 1) }] : [];
  });
  if (found.length === 0) {
    const near = nearOnes(types, questionWords(words).join(" "));
    return refusal(`It begins with no question's id or whole name.${near}`);
  }
  let first: Failure | undefined;
  for (const { named, rest } of found) {
    const [type, other] = named;
    if (!type) continue;
    if (other) {
      const ids = named.map(({ id }) => id).join(", ");
      first ??= refusal(`Several questions have this name. Choose one by its id: ${ids}.`);
      continue;
    }
    const condition = withOperator(type, rest, nowMs);
    if (!(condition instanceof Failure)) return condition;
    first ??= condition;
  }
  return first ?? refusal("It can't be used.");
}

function withOperator(type: DataPointType, words: readonly string[], nowMs: number): Condition | Failure {
  const kind = answerKind(type.unit_of_measure);
  const fitting = operatorsFor(kind).map((each) => operatorLabel(each, kind));
  const choices = `Its operators: ${fitting.join(", ")}.`;
  if (words.length === 0) return refusal(`The operator is missing. ${choices}`);
  const { id, name, unit_of_measure } = type;
  let first: Failure | undefined;
  for (const { operator, operand } of operatorReadings(words)) {
    const takesNone = operators[operator].operand === "none";
    const label = operatorLabel(operator, kind);
    if (takesNone !== (operand === "")) {
      first ??= refusal(takesNone ? `"${label}" takes no value.` : `"${label}" needs a value.`);
      continue;
    }
    const condition: Condition = { type: { id, name, unit_of_measure }, operator, operand };
    const test = testOf(condition, nowMs);
    if (!(test instanceof Failure)) return condition;
    first ??= refusal(`${test.detail} ${choices}`);
  }
  return first ?? refusal(`"${printableLine(words.join(" "), 60)}" begins with no operator. ${choices}`);
}

/** The words before the first operator. */
function questionWords(words: readonly string[]): readonly string[] {
  const at = words.findIndex((_, from) => from > 0 && operatorReadings(words.slice(from)).length > 0);
  return at === -1 ? words : words.slice(0, at);
}

/** The types that a text names by id or name, with the blanks of a condition around signs. */
function typesOf(text: string, types: readonly DataPointType[]): DataPointType[] {
  if (/^\d+$/.test(text)) return types.filter(({ id }) => id === Number(text));
  const spaced = types.map((type) => ({
    type,
    name: conditionWordsOf(type.name).join(" "),
  }));
  return allNamed(text, spaced).map(({ type }) => type);
}

function refusal(detail: string): Failure {
  return new Failure("invalid-argument", { detail });
}
