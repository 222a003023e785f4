import type { Surroundings } from "./diagnostics";

/** The version in package.json, defined by webpack. */
declare const addInVersion: string;

export const version = addInVersion;

/** The facts that Office and the browser tell about themselves. */
export function surroundings(): Surroundings {
  // Some hosts lack this, although its type says otherwise.
  const diagnostics = Office.context?.diagnostics as Office.ContextInformation | undefined;
  const theme = Office.context?.officeTheme as Office.OfficeTheme | undefined;
  const matches = (query: string) => window.matchMedia(query).matches;
  const appearance = [
    theme && `Excel ${theme.isDarkTheme ? "dark" : "light"}`,
    `system ${matches("(prefers-color-scheme: dark)") ? "dark" : "light"}`,
    matches("(forced-colors: active)") && "forced colors",
    `${window.innerWidth} pixels wide`,
  ];
  return {
    version,
    office: diagnostics
      ? `${diagnostics.host} ${diagnostics.platform} ${diagnostics.version}`
      : "does not tell",
    userAgent: navigator.userAgent,
    language: navigator.language,
    appearance: appearance.filter(Boolean).join(", "),
  };
}
