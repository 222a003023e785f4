import { quoted } from "../../engine/lookup/asked-names";
import { Failure } from "../../errors";
import { exampleOf, type RegisteredFunction } from "./formula-examples";

/** The failure for an argument that is not one of the words that the function accepts. The only one that begins with it may be meant. */
export function notOneOf(argument: unknown, choices: readonly string[]): Failure {
  const word = String(argument).trim().toLowerCase();
  const [meant, ...others] = choices.filter((choice) => choice.startsWith(word));
  return new Failure("invalid-argument", {
    detail: `${quoted(argument)} is none of: ${choices.join(", ")}.`,
    nextStep: meant && others.length === 0 ? `Did you mean "${meant}"?` : undefined,
  });
}

/** The failure for an argument that should be a date. */
export function notADate(argument: unknown): Failure {
  return new Failure("invalid-argument", { detail: `${quoted(argument)} is not a date.` });
}

/** The same failure, with an example of the function as its next step if it is a refused argument without advice of its own. */
export function withExample(failure: Failure, name: RegisteredFunction): Failure {
  const { kind, detail, nextStep } = failure;
  if (kind !== "invalid-argument" || nextStep !== undefined) return failure;
  return new Failure(kind, {
    detail,
    nextStep: `Write it like ${exampleOf(name)}; the help shows more examples.`,
  });
}
