import type { BuildSettings } from "./build-settings";
import { helpSecurityPolicy } from "./content-security-policy";
import { inEnvironment } from "./environment";
import { escaped, replaced } from "./markup";

const addressEntry = "your service's address and your API key";
const supportMark = "<!-- support -->";

/** The overview of a build: where the address is fixed, it asks for none. */
export function overviewFor(html: string, { service }: BuildSettings): string {
  return replaced(html, addressEntry, service?.isFixed ? "your API key" : addressEntry);
}

/** The support page of a build, which leads to the support address of the settings. */
export function supportFor(html: string, { addInAddress, supportAddress }: BuildSettings): string {
  const isThisPage = supportAddress === `${addInAddress}help/support.html`;
  const address = escaped(supportAddress);
  return replaced(html, supportMark, isThisPage ? "" : `<p><a href="${address}">${address}</a></p>`);
}

/** Any page of the help: with the environment's names, and a policy that lets it run nothing. */
export function helpPageFor(html: string, { environment }: BuildSettings): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${helpSecurityPolicy}" />`;
  return replaced(inEnvironment(html, environment), "<head>", `<head>\n    ${policy}`);
}
