import { useEffect, useMemo, useState } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import { estimateImport, type ImportEstimate } from "../../../workbook/imports/run/estimate";
import type { ImportQuestion } from "../../../workbook/imports/run/import-types";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { TableForm } from "../../../workbook/sheet/layout/table-plan";

/** The pause before an estimate: the user may go on choosing. */
const estimateDelayMs = 150;

/**
 * Estimates an import from the stored data. Null if there is nothing to estimate, or no estimate yet. Until a new choice is estimated, this
 * is the estimate of the last one: call `importSize` if the table's size is needed at once.
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
  // The stored answers of these jurisdictions are read once, whatever questions are chosen.
  const recalled = useMemo(
    () => (ahjs ? lookup.answers.recall(ahjs.map(({ id }) => id)) : Promise.resolve()),
    [ahjs, lookup],
  );
  useEffect(() => {
    // The last estimate stays until the next one is there, so that nothing moves on the screen meanwhile.
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
