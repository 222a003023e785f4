import type { BuildSettings } from "./build-settings";
import { helpSecurityPolicy } from "./content-security-policy";
import { inEnvironment } from "./environment";
import { escaped, replaced } from "./markup";

interface HelpPage {
  /** The page's path, relative to the help's folder. */
  path: string;
  html: string;
}

const addressEntry = "your service's address and your API key";
const supportMark = "<!-- support -->";

/** A page of the help in a build: with the environment's names, and with a policy that lets it run no script. */
export function helpPageFor({ path, html }: HelpPage, settings: BuildSettings): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${helpSecurityPolicy}" />`;
  const page = replaced(inEnvironment(html, settings.environment), "<head>", `<head>\n    ${policy}`);
  if (path === "help.html") return withAddressAsked(page, settings);
  return path === "support.html" ? withSupport(page, settings) : page;
}

/** Users of a build with a fixed address enter only their key, so the help does not ask for an address. */
function withAddressAsked(page: string, { service }: BuildSettings): string {
  return replaced(page, addressEntry, service?.isFixed ? "your API key" : addressEntry);
}

function withSupport(page: string, { addInAddress, supportAddress }: BuildSettings): string {
  const isThisPage = supportAddress === `${addInAddress}help/support.html`;
  const address = escaped(supportAddress);
  return replaced(page, supportMark, isThisPage ? "" : `<p><a href="${address}">${address}</a></p>`);
}
