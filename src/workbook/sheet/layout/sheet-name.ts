import { config } from "../../../config";

/**
 * A name that Excel accepts for a sheet: without `\ / ? * [ ] :` and invisible characters, at most 31 characters long, and not taken,
 * ignoring case.
 */
export function freeSheetName(wanted: string, taken: readonly string[]): string {
  const clean = wanted.replace(/[\\/?*[\]:\p{Cc}\p{Cs}]/gu, " ");
  // Excel reserves this name for itself.
  const lowered = new Set(["history", ...taken.map((name) => name.toLowerCase())]);
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : ` ${number}`;
    const name =
      clean
        .replace(/^['\s]+/, "")
        .slice(0, config.sheetNameCharacters - ending.length)
        .replace(/['\s\ud800-\udbff]+$/, "") || "RegData";
    if (!lowered.has((name + ending).toLowerCase())) return name + ending;
  }
}
