/** The day of a time in the user's time zone, as the pane writes days: `May 20, 2024`. */
export function localDay(ms: number): string {
  return new Date(ms).toLocaleDateString("en-US", { dateStyle: "medium" });
}
