/**
 * Sets whether Excel loads the add-in each time this document is opened, from the next time on (Microsoft: "Run code in your Office Add-in
 * when the document opens"). Fails if Excel does.
 */
export async function setLoadsAtOpening(loads: boolean): Promise<void> {
  await Office.addin.setStartupBehavior(loads ? Office.StartupBehavior.load : Office.StartupBehavior.none);
}
