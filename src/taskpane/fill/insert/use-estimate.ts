import { useEffect, useMemo, useState } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import { estimateImport, type ImportEstimate } from "../../../workbook/imports/run/estimate";
import type { ImportQuestion } from "../../../workbook/imports/run/question";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { TableForm } from "../../../workbook/sheet/layout/table-plan";

/** The user may choose more before this is over. */
const estimateDelayMs = 150;

/**
 * What an import will take, by all that is kept; null where there is nothing to estimate, or not yet. Until a new choice is
 * estimated, this is what the last one takes: who needs the size of the table at once calls `importSize`.
 */
export function useEstimate(
  question: ImportQuestion | null,
  lookup: Lookup,
  catalogue: readonly DataPointType[],
  form: TableForm,
  hasSources: boolean,
): ImportEstimate | null {
  const [shown, setShown] = useState<ImportEstimate | null>(null);
  const chosen = useMemo(
    () => question && { question, catalogue, form, hasSources },
    [question, catalogue, form, hasSources],
  );
  const ahjs = question?.ahjs;
  // What the disk holds of these jurisdictions is read once, whatever is asked of them.
  const recalled = useMemo(
    () => (ahjs ? lookup.answers.recall(ahjs.map(({ id }) => id)) : Promise.resolve()),
    [ahjs, lookup],
  );
  useEffect(() => {
    // The last one stays for the next question, so that nothing moves on the screen before the next one is there.
    if (!chosen) return;
    let current = true;
    async function work({ question, catalogue, form, hasSources }: NonNullable<typeof chosen>) {
      await recalled;
      if (!current) return;
      const estimate = await estimateImport(question, lookup, catalogue, form, hasSources);
      if (current) setShown(estimate);
    }
    const timer = setTimeout(() => void work(chosen), estimateDelayMs);
    return () => {
      clearTimeout(timer);
      current = false;
    };
  }, [chosen, recalled, lookup]);
  return chosen && shown;
}
