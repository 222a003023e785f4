import { config } from "../src/config";

/** The formulas' namespace in the sources, in the manifest's template and in the help. */
export const plainNamespace = config.namespace;

/**
 * A text of the sources, the manifest or the help as it stands in a build for an environment such as DEV: formulas begin
 * with REGDATA_DEV, the add-in calls itself RegData DEV, and the names of all that it keeps, in the browser and in
 * workbooks, begin with regdata-dev. So two environments neither look alike nor take each other's things for their own;
 * and as the build replaces the words wherever they stand, none can be forgotten. "" is the environment without a name.
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
