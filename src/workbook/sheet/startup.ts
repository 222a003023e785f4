/**
 * Whether Excel loads the add-in whenever this document is opened, from the next time on (Microsoft: "Run code in your Office
 * Add-in when the document opens"). Fails where Excel does.
 */
export async function setLoadsAtOpening(loads: boolean): Promise<void> {
  await Office.addin.setStartupBehavior(loads ? Office.StartupBehavior.load : Office.StartupBehavior.none);
}
