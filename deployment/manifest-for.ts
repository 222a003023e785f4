import { type BuildSettings, plainBuild } from "./build-settings";
import { inEnvironment } from "./environment";
import { escaped, replaced } from "./markup";

/**
 * The manifest of a build, made from the template manifest.xml with the settings' addresses, id, names, namespace and labels and with
 * package.json's version. Throws if the template lacks something that is to be replaced.
 */
export function manifestFor(template: string, settings: BuildSettings, version: string): string {
  const { addInAddress, id, displayName, supportAddress, environment } = settings;
  const domain = (address: string) => `<AppDomain>${escaped(new URL(address).origin)}</AppDomain>`;
  const replacements: [string | RegExp, string][] = [
    [/(?<=<Version>)[^<]*/, `${version}.0`],
    [`<Id>${plainBuild.id}</Id>`, `<Id>${id}</Id>`],
    [`<DisplayName ${value(plainBuild.displayName)}`, `<DisplayName ${value(displayName)}`],
    [`<SupportUrl ${value(plainBuild.supportAddress)}`, `<SupportUrl ${value(supportAddress)}`],
    [domain(plainBuild.addInAddress), domain(addInAddress)],
    [`"${plainBuild.addInAddress}`, `"${escaped(addInAddress)}`],
  ];
  // The labels are renamed first, so that the settings' addresses and names, which come in later, stay as they are.
  const labeled = template.replace(/(?<=<bt:String [^>]*DefaultValue=")[^"]*/g, (label) =>
    inEnvironment(label, environment),
  );
  return replacements.reduce((xml, [from, to]) => replaced(xml, from, to), labeled);
}

function value(text: string): string {
  return `DefaultValue="${escaped(text)}"`;
}
