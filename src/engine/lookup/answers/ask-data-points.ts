import { inShortAddresses } from "../../api/address-length";
import type { Client } from "../../api/client";
import { readAll } from "../../api/paged-list";
import type { Ahj } from "../../api/schemas";
import { absentAnswers } from "../../cache/cached-answer";
import { asFailure, Failure } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Catalogue } from "../catalogue/catalogue";
import { answersOfDataPoints } from "./read-data-points";
import { type AnsweredRectangle, fillRectangle } from "./read-matrix";
import type { Rectangle } from "./request-plan";

/**
 * Asks the list of data points for a rectangle, in as few requests as addresses allow. `real` are the types that the service has. Fails
 * with a Failure: unexpected-answer if the list changed while it was read.
 */
export async function askDataPoints(
  rectangle: Rectangle,
  real: ReadonlySet<number>,
  dependencies: { client: Client; catalogue: Catalogue; learnAhjs(ahjs: readonly Ahj[]): void },
  options: ExchangeOptions,
): Promise<AnsweredRectangle> {
  const { client, catalogue, learnAhjs } = dependencies;
  const denied = new Set<number>();
  const lists = await inShortAddresses(rectangle.ahjIds, async (part) => {
    try {
      return await readAll((paging) =>
        client.listDataPoints({ ahj_ids: part, data_point_type_ids: [...real], ...paging }, options),
      );
    } catch (thrown) {
      if (asFailure(thrown).kind !== "outside-subscription") throw thrown;
      // Every AHJ of this part is denied; the AHJs of the other parts may not be.
      for (const ahjId of part) denied.add(ahjId);
      return { items: [], warnings: [], missing: 0, atMs: Date.now() };
    }
  });
  if (lists.some((list) => list.missing > 0)) {
    throw new Failure("unexpected-answer", { detail: "A list changed while it was read." });
  }
  const items = lists.flatMap((list) => list.items);
  catalogue.learn(items.map((item) => item.data_point_type));
  learnAhjs(items.map((item) => item.ahj));
  const warnings = lists.flatMap((list) => list.warnings);
  const atMs = Math.min(...lists.map((list) => list.atMs));
  const answerOf = answersOfDataPoints({ items, warnings }, real, atMs);
  const outside = absentAnswers(atMs)["outside-subscription"];
  return fillRectangle(rectangle, (ahjId, typeId) => (denied.has(ahjId) ? outside : answerOf(ahjId, typeId)));
}
