import type { BuildSettings } from "./build-settings";
import { headersOf } from "./file-headers";
import { inEnvironment, plainNamespace } from "./environment";

/** Tells the person who ran the build, in plain words, what to do with the built files. */
export function uploadSteps(settings: BuildSettings, version: string): string {
  const { addInAddress, displayName, environment, service } = settings;
  const { origin } = new URL(addInAddress);
  const needsCors = service === null || new URL(service.baseUrl).origin !== origin;
  return `dist/ holds ${displayName}, version ${version}. Formulas begin with =${inEnvironment(plainNamespace, environment)}.
${serviceText(service)}

1. Upload all that is in dist/ but manifest.xml, scripts (*.js) first, taskpane.html last, to
   ${addInAddress}
   Leave the scripts of earlier versions there for a week: panes that are open may still ask for them.
2. Have the server send ${header("/main.0a1b2c3d.js", "Cache-Control")} with scripts (*.js), and
   ${header("/taskpane.html", "Cache-Control")} with everything else;
   ${header("/functions.json", "Access-Control-Allow-Origin")} with functions.json and shortcuts.json.
3. Give manifest.xml to the Microsoft 365 admin center (Settings, Integrated apps), or sideload it: the first time, and
   when more than its version has changed.
${needsCors ? `4. See that the service admits ${origin} (CORS), or have that server relay it: docs/serving.md.\n` : ""}`;
}

function header(path: string, name: string): string {
  const [, value = ""] = headersOf(path).find(([each]) => each === name) ?? [];
  return `"${name}: ${value}"`;
}

function serviceText(service: BuildSettings["service"]): string {
  if (service === null) return "Users enter the service's address.";
  return service.isFixed
    ? `Keys go to ${service.baseUrl} alone.`
    : `The service's address is filled in: ${service.baseUrl}. Users may change it.`;
}
