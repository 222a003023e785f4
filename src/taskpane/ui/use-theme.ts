import { webDarkTheme, webLightTheme, type Theme } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Excel's theme where it tells (desktop), else the system's (the web tells none: OfficeDev/office-js#6134). */
export function useTheme(): Theme {
  const prefersDark = useSyncExternalStore(
    (changed) => {
      dark.addEventListener("change", changed);
      return () => dark.removeEventListener("change", changed);
    },
    () => dark.matches,
  );
  return (excelIsDark() ?? prefersDark) ? webDarkTheme : webLightTheme;
}

function excelIsDark(): boolean | undefined {
  // Missing on the web, against its type.
  const theme = Office.context?.officeTheme as Office.OfficeTheme | undefined;
  return theme?.isDarkTheme;
}
