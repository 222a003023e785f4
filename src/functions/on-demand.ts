/** The formulas beside VALUE and CITATION: they come in a script of their own, so that those are there sooner. */
export * from "./comparisons";
export * from "./lists-and-collections";
