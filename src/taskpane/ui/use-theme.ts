import { webDarkTheme, webLightTheme, type Theme } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Excel's theme if Excel tells it (desktop), otherwise the system's (Excel on the web tells none: OfficeDev/office-js#6134). */
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
  // Excel on the web lacks this, although its type says otherwise.
  const theme = Office.context?.officeTheme as Office.OfficeTheme | undefined;
  return theme?.isDarkTheme;
}
