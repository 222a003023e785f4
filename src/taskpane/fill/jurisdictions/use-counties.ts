import { useEffect, useMemo, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import { Failure } from "../../../errors";
import { needingCounty, type Places } from "../../../engine/lookup/directory/places";

/** The number of counties that are asked for at once, a request each. */
const mostAsked = 10;

/** The pause before asking: a user who types does not read the list yet. */
const typingPauseMs = 400;

/**
 * Returns the county of a shown AHJ, if it is known. The service is asked for it if only the county tells the AHJ from another one shown,
 * and after they have been shown for a moment.
 */
export function useCounties(
  { lookup }: Session,
  shown: readonly Ahj[],
  places: Places,
): (ahj: Ahj) => string | undefined {
  const { details } = lookup;
  const [asked, setAsked] = useState<ReadonlyMap<number, string>>(new Map());
  // The ids are a text, so that the same ids after another page has arrived do not ask again.
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
      // A county that can't be had is not shown: the geoID still tells the AHJs apart.
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
