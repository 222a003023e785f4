/** A function of the add-in as its JSDoc describes it, and as Excel lists it. */
export interface KnownFunction {
  name: string;
  description: string;
  /** In the order of the formula. */
  parameters: readonly KnownParameter[];
}

export interface KnownParameter {
  name: string;
  description: string;
  optional: boolean;
}

/** Defined by webpack, which reads src/functions/functions.ts. */
declare const functionsOfBuild: readonly KnownFunction[];

export const knownFunctions = functionsOfBuild;
