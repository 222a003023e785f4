import type { argumentChoices } from "./argument-choices";

type Words<Role extends keyof typeof argumentChoices> = Readonly<
  Record<(typeof argumentChoices)[Role][number], string>
>;

/**
 * The meaning of each word that an argument may be, as the builder and Excel's suggestions show it. The first word stands for an omitted
 * argument.
 */
export const argumentWords: Readonly<{
  field: Words<"field">;
  ahjField: Words<"ahjField">;
  layout: Words<"layout">;
  match: Words<"match">;
  show: Words<"show">;
}> = {
  field: {
    value: "Value",
    text: "Text as published",
    reference: "Reference",
    section: "Section",
    citation: "Reference and section",
    updated_at: "Last change",
    unit: "Unit",
    question: "Name of the question",
    status: "Status",
  },
  ahjField: {
    name: "Name",
    id: "AHJ id",
    type: "Kind",
    state_code: "State code",
    geoid: "geoID",
    state_name: "State",
    county: "County",
    population: "Population",
    lat: "Latitude",
    lon: "Longitude",
  },
  layout: { wide: "A row for each jurisdiction", long: "A row for each value" },
  match: { all: "All conditions", any: "One of the conditions" },
  show: { found: "Those found", unknown: "Those of which it is not known" },
};
