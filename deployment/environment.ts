import { config } from "../src/config";

/** The formulas' namespace in the sources, in the manifest's template and in the help. */
export const plainNamespace = config.namespace;

/**
 * Rewrites a text of the sources, the manifest or the help for a build with an environment such as DEV. Its formulas begin with
 * REGDATA_DEV, the add-in calls itself RegData DEV, and the names of all that it keeps, in the browser and in workbooks, begin with
 * regdata-dev. So two environments neither look alike nor read each other's data. The build replaces the words everywhere, so none can be
 * forgotten. The environment "" has no name and changes nothing.
 */
export function inEnvironment(text: string, environment: string): string {
  if (environment === "") return text;
  const names: Record<string, string> = {
    [plainNamespace]: `${plainNamespace}_${environment}`,
    RegData: `RegData ${environment}`,
    regdata: `regdata-${environment.toLowerCase()}`,
  };
  return text.replace(/(?:REGDATA|RegData|regdata)\b/g, (name) => names[name] ?? name);
}
