import type { TableForm } from "../../../workbook/sheet/layout/table-plan";

export const citationChoices = {
  none: "None",
  beside: "Columns beside",
  sheet: "On a Sources sheet",
  notes: "As notes",
} as const;
export const layoutChoices = { wide: "A row per jurisdiction", long: "A row per value" } as const;

/** The user's choices for the look of an import. */
export interface ImportForm {
  layout: TableForm["layout"];
  citations: keyof typeof citationChoices;
  /** True if the day of each answer's last change stands beside it. */
  hasDates: boolean;
  /** True if a column beside a list tells how each of its entries was understood. */
  hasCertainty: boolean;
  /** True if a dash stands where no value is recorded. */
  hasDashes: boolean;
  /** True if a list becomes a table together with the columns beside it. */
  makesTable: boolean;
}

const plainImportForm: ImportForm = {
  layout: "wide",
  citations: "none",
  hasDates: false,
  hasCertainty: false,
  hasDashes: false,
  makesTable: true,
};

/** The choices in a line. Beside a list there are no layouts. */
export function formWords(
  { layout, citations, hasDates, hasCertainty, hasDashes }: ImportForm,
  hasLayouts: boolean,
): string {
  const words = [
    hasLayouts ? layoutChoices[layout].toLowerCase() : "",
    citations === "none" ? "" : `citations ${citationChoices[citations].toLowerCase()}`,
    hasDates ? "with dates" : "",
    hasCertainty && !hasLayouts ? "how certain" : "",
    hasDashes ? "“–” for no value" : "",
  ];
  return words.filter((each) => each !== "").join(", ");
}

/**
 * The choices from a stored form. A choice that no longer exists becomes the default, and notes become columns if this Excel has no notes.
 */
export function asImportForm(
  kept: {
    layout: string;
    citations: string;
    hasDates?: boolean | undefined;
    hasCertainty?: boolean | undefined;
    hasDashes?: boolean | undefined;
    makesTable?: boolean | undefined;
  } | null,
  hasNotes: boolean,
): ImportForm {
  const citations = choiceOf(citationChoices, kept?.citations) ?? plainImportForm.citations;
  return {
    layout: choiceOf(layoutChoices, kept?.layout) ?? plainImportForm.layout,
    citations: citations === "notes" && !hasNotes ? "beside" : citations,
    hasDates: kept?.hasDates ?? plainImportForm.hasDates,
    hasCertainty: kept?.hasCertainty ?? plainImportForm.hasCertainty,
    hasDashes: kept?.hasDashes ?? plainImportForm.hasDashes,
    makesTable: kept?.makesTable ?? plainImportForm.makesTable,
  };
}

function choiceOf<Choice extends string>(choices: Record<Choice, string>, kept?: string) {
  return (Object.keys(choices) as Choice[]).find((choice) => choice === kept);
}
