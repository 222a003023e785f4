import { useEffect, useMemo, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import { Failure } from "../../../errors";
import { needingCounty, type Places } from "../../../engine/lookup/directory/places";

/** So many counties are asked for at once, a request each. */
const mostAsked = 10;

/** Nobody reads a list that changes with the next key. */
const typingPauseMs = 400;

/**
 * The county of an AHJ on show, where it is known. It is asked for where it alone tells an AHJ from another on show,
 * once they have been on show for a moment.
 */
export function useCounties(
  { lookup }: Session,
  shown: readonly Ahj[],
  places: Places,
): (ahj: Ahj) => string | undefined {
  const { details } = lookup;
  const [asked, setAsked] = useState<ReadonlyMap<number, string>>(new Map());
  // As text: the same ones after a page has arrived are no reason to ask anew.
  const wanted = useMemo(
    () =>
      needingCounty(shown, places, mostAsked)
        .map((ahj) => ahj.id)
        .join(),
    [shown, places],
  );
  useEffect(() => {
    if (wanted === "") return;
    const ids = wanted.split(",").map(Number);
    const controller = new AbortController();
    const tell = (ahjId: number, { county }: { county: string | null }) => {
      if (county !== null && !controller.signal.aborted) {
        setAsked((before) => new Map(before).set(ahjId, county));
      }
    };
    const timer = setTimeout(() => {
      // A county that does not come is not shown: the geoID still tells them apart.
      void details
        .read(ids, { signal: controller.signal }, (ahjId, detail) => {
          if (!(detail instanceof Failure)) tell(ahjId, detail);
        })
        .catch(() => undefined);
    }, typingPauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [details, wanted]);
  return (ahj) => places.countyOf(ahj) ?? asked.get(ahj.id);
}
