/**
 * Does work a second time if it fails: Excel often accepts at the second try what it refused at the first, for example for too many requests.
 * The work must do no harm when it is done twice.
 *
 * @example
 * await twice(() => workbook.deletePart(partId));
 */
export function twice<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch(work);
}
