import type { Failure } from "../../errors";
import type { Ahj, AhjDetail, DataPointType } from "../api/schemas";
import type { FoundAnswer } from "./answers/kept-answers";

/** An AHJ, by its geoID or its name as text, or by its own id as a number. The geoID does not lead to an AHJ without a geography. */
export type AhjName = string | number;

/** A data point type, by its id or its exact name. */
export type TypeName = number | string;

export interface Question {
  ahj: AhjName;
  type: TypeName;
}

/** Everything that a formula asks for. */
export interface Wants {
  questions?: readonly Question[];
  /** True if values are wanted with the date of their last change. */
  dated?: boolean | undefined;
  /** AHJs whose name, kind and state are wanted. */
  ahjs?: readonly AhjName[];
  /** True if the codes of `ahjs` are wanted, too. */
  codes?: boolean;
  /** AHJs whose county, population and position are wanted too. Each takes a request. */
  details?: readonly AhjName[];
  /** Types whose name and unit are wanted, as far as the answers tell them. */
  types?: readonly TypeName[];
}

/** A question with what is made of its answer. It is data that waits, where a function that waits would take more memory. */
export interface Asker<Result> {
  /** Called once connection and preferences are known, because the wants may depend on them. */
  wants(): Wants;
  /** A Failure is that of the whole ask. */
  resultOf(found: LookedUp | Failure): Result | Promise<Result>;
}

/** The results, in the order in which they were asked for. */
export interface LookedUp {
  values: (FoundAnswer | Failure)[];
  ahjs: (Ahj | Failure)[];
  details: (AhjDetail | Failure)[];
  types: (DataPointType | null)[];
  /** The form in which formulas name each of `ahjs`: its geoID if that stands for it, otherwise `ahj:` and its id. */
  codes: (string | Failure)[];
}

/** The results for things that were not asked for. Thousands of formulas share this list. */
export const none: never[] = [];

/** The results if nothing is asked for. */
export const nothing: LookedUp = { values: none, ahjs: none, details: none, types: none, codes: none };
