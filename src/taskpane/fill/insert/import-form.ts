import type { TableForm } from "../../../workbook/sheet/layout/table-plan";

export const citationChoices = {
  none: "None",
  beside: "Columns beside",
  sheet: "On a Sources sheet",
  notes: "As notes",
} as const;
export const layoutChoices = { wide: "A row per jurisdiction", long: "A row per value" } as const;

/** How an import is to look. */
export interface ImportForm {
  layout: TableForm["layout"];
  citations: keyof typeof citationChoices;
  /** The day of each answer's last change stands beside it. */
  hasDates: boolean;
  /** A list beside which columns go becomes a table with them. */
  makesTable: boolean;
}

export const plainImportForm: ImportForm = {
  layout: "wide",
  citations: "none",
  hasDates: false,
  makesTable: true,
};

/** The choices in a line. */
export function formWords({ layout, citations, hasDates }: ImportForm, hasLayouts: boolean): string {
  const words = [
    hasLayouts ? layoutChoices[layout].toLowerCase() : "",
    citations === "none" ? "" : `citations ${citationChoices[citations].toLowerCase()}`,
    hasDates ? "with dates" : "",
  ];
  return words.filter((each) => each !== "").join(", ");
}

/** A form as it was kept; a choice that is none any more is the plain one, and columns stand for notes. */
export function asImportForm(
  kept: {
    layout: string;
    citations: string;
    hasDates?: boolean | undefined;
    makesTable?: boolean | undefined;
  } | null,
  hasNotes: boolean,
): ImportForm {
  const citations = choiceOf(citationChoices, kept?.citations) ?? plainImportForm.citations;
  return {
    layout: choiceOf(layoutChoices, kept?.layout) ?? plainImportForm.layout,
    citations: citations === "notes" && !hasNotes ? "beside" : citations,
    hasDates: kept?.hasDates ?? plainImportForm.hasDates,
    makesTable: kept?.makesTable ?? plainImportForm.makesTable,
  };
}

function choiceOf<Choice extends string>(choices: Record<Choice, string>, kept?: string) {
  return (Object.keys(choices) as Choice[]).find((choice) => choice === kept);
}
