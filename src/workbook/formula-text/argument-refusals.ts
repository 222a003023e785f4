import { quoted } from "../../engine/lookup/asked-names";
import { Failure } from "../../errors";

/** The failure of an argument that is not one of the words that its function knows. */
export function notOneOf(argument: unknown, choices: readonly string[]): Failure {
  return new Failure("invalid-argument", {
    detail: `${quoted(argument)} is none of: ${choices.join(", ")}.`,
  });
}

/** The failure of an argument that should be a date. */
export function notADate(argument: unknown): Failure {
  return new Failure("invalid-argument", { detail: `${quoted(argument)} is not a date.` });
}
