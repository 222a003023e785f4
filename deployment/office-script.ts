/**
 * The addresses from which Microsoft serves office.js; the first is the one that its documentation names. It moved there on 10 September
 * 2026 (OfficeDev/office-js-docs-pr#5882), and no end of the other was announced. The store takes only add-ins that load office.js from
 * Microsoft.
 */
export const officeScripts = [
  "https://officeapis.public.onecdn.static.microsoft/1/office.js",
  "https://appsforoffice.microsoft.com/lib/1/hosted/office.js",
] as const;

export type OfficeScript = (typeof officeScripts)[number];
