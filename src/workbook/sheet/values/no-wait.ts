const noWait = /^(same day|instant(ly)?( \(automated\))?|immediate(ly)?)$/i;
const timeUnits = /^(business )?days?$/i;

/** True for words that mean no wait at all, as the answer to a question in days (docs/find.md). */
export function isNoWait(text: string, unitOfMeasure: string): boolean {
  return timeUnits.test(unitOfMeasure.trim()) && noWait.test(text.trim());
}
