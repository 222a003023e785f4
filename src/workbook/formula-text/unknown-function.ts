import { createFinder } from "../../engine/lookup/search/finder";
import { plainName } from "../../engine/lookup/search/plain-name";
import { formulaCalls } from "./formula-call";
import { registeredFunctions } from "./formula-examples";

const finder = createFinder(registeredFunctions.map(plainName));

/** Says which function of the namespace a formula calls that the add-in lacks, and which one may be meant; undefined if it lacks none. */
export function unknownFunction(formula: string, namespace: string): string | undefined {
  const unknown = formulaCalls(formula, namespace).find(({ name }) => !registeredFunctions.includes(name));
  if (!unknown) return undefined;
  const [nearest] = finder.find(unknown.name);
  const sentence = `${namespace} has no function ${unknown.name}.`;
  return nearest === undefined ? sentence : `${sentence} Did you mean ${registeredFunctions[nearest]}?`;
}
