import type { z } from "zod";
import { Failure, clockTime } from "../../src/errors";
import { allFailureKinds } from "../../src/sheet-failure-kinds";
import { CommandFailure, type FailureKind } from "../command-failure";
import { failureOf, nextStepOf, sentenceOf } from "../failure-exit";
import { printableLine } from "../output/printable";
import { WorkbookFileError } from "../../xlsx/workbook-file";
import { quoted } from "./text-table";

/** A failure as a tool's caller is told of it. */
export interface ToldFailure {
  /** "usage", "file" or "service" as the command's exit codes, or the add-in's kind, such as "wrong-key". */
  kind: string;
  sentence: string;
  /** The words of the service, of a file or of the caller; null if there are none. */
  detail: string | null;
  nextStep: string;
}

/** The steps after a failure of the command, whose sentence says what is wrong. */
const nextSteps: Readonly<Record<FailureKind | "internal", string>> = {
  usage: "Correct what the sentence names, then call the tool again.",
  file: "Name another file, or ask the user to do what the sentence says.",
  service: "Try again later, or ask the user.",
  internal: "Tell the user. A call with other arguments may work.",
};

const mostCharacters = 600;

export function toldFailure(thrown: unknown): ToldFailure {
  if (thrown instanceof Failure) return toldOf(thrown);
  const { sentence } = failureOf(thrown);
  const kind =
    thrown instanceof CommandFailure
      ? thrown.kind
      : thrown instanceof WorkbookFileError
        ? "file"
        : ("internal" as const);
  return { kind, sentence: printableLine(sentence, mostCharacters), detail: null, nextStep: nextSteps[kind] };
}

function toldOf(failure: Failure): ToldFailure {
  const { kind, detail, nextStep, status, untilMs, cause } = failure;
  const isOfHost = kind === "sheet-refused" && "code" in Object(cause);
  const facts = [
    isOfHost ? sentenceOf(failure) : allFailureKinds[kind].sentence,
    status === undefined ? "" : `(HTTP ${status})`,
    untilMs === undefined ? "" : `It resets at ${clockTime(untilMs)}.`,
  ].filter((fact) => fact !== "");
  // Both may have the service's words.
  const details = [isOfHost ? undefined : detail, nextStep].filter((text) => text !== undefined);
  return {
    kind,
    sentence: printableLine(facts.join(" "), mostCharacters),
    detail: details.length > 0 ? printableLine(details.join(" "), mostCharacters) : null,
    nextStep:
      nextStep === undefined ? (nextStepOf(failure) ?? nextSteps.service) : "The detail says what may help.",
  };
}

/** The arguments that can't be used, the first of them by name. */
export function toldIssues(error: z.ZodError): ToldFailure {
  const [first] = error.issues;
  const name = first?.path.map(String).join(".") ?? "";
  const more = error.issues.length - 1;
  const others = more > 0 ? ` (and ${more} more)` : "";
  // zod says of an argument that is not there that it received undefined.
  const isMissing = first?.code === "invalid_type" && / received undefined$/.test(first.message);
  const wrong = isMissing ? "is missing" : (first?.message ?? "can't be used");
  const words = `${name === "" ? "" : `${name}: `}${wrong}${others}`;
  return {
    kind: "usage",
    sentence: "The tool's arguments can't be used.",
    detail: printableLine(words, mostCharacters),
    nextStep: nextSteps.usage,
  };
}

/** The failure in lines. Words that may come from elsewhere are in quotes. */
export function failureText({ kind, sentence, detail, nextStep }: ToldFailure): string {
  return [
    `Failed (${kind}): ${quoted(sentence, mostCharacters)}`,
    ...(detail === null ? [] : [`Detail: ${quoted(detail, mostCharacters)}`]),
    `Next step: ${nextStep}`,
  ].join("\n");
}
