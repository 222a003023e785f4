import { useEffect, useState } from "react";
import type { DataPointType } from "../../engine/api/schemas";
import { estimateImport, type ImportEstimate } from "../../workbook/imports/run/estimate";
import type { ImportQuestion } from "../../workbook/imports/run/question";
import type { Lookup } from "../../engine/lookup/lookup";
import type { TableForm } from "../../workbook/sheet/layout/table-plan";

/** What an import will take, by all that is kept; null where there is nothing to estimate, or not yet. */
export function useEstimate(
  question: ImportQuestion | null,
  lookup: Lookup,
  catalogue: readonly DataPointType[],
  form: TableForm,
  hasSources: boolean,
): ImportEstimate | null {
  const [estimate, setEstimate] = useState<ImportEstimate | null>(null);
  useEffect(() => {
    if (!question) return setEstimate(null);
    let current = true;
    void lookup.answers.recall(question.ahjs.map((ahj) => ahj.id)).then(() => {
      if (current) setEstimate(estimateImport(question, lookup, catalogue, form, hasSources));
    });
    return () => {
      current = false;
    };
  }, [question, lookup, catalogue, form, hasSources]);
  return question ? estimate : null;
}
