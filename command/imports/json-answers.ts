import type { ImportAnswers } from "../../src/workbook/imports/run/import-types";

/** An import's answers as a JSON document: a row for each jurisdiction, with every question; texts as published. */
export function answersJson({ ahjs, types, of }: ImportAnswers, service: string) {
  return {
    service,
    questions: types.map(({ id, name, unit_of_measure: unit }) => ({ id, name, unit })),
    rows: ahjs.map(({ id, geoid, name, type, state_code: state }) => ({
      ahj_id: id,
      geoid,
      name,
      type,
      state,
      answers: types.map((question) => {
        const answer = of(id, question.id);
        return {
          question_id: question.id,
          value: answer?.value ?? null,
          reference: answer?.reference ?? null,
          section: answer?.section ?? null,
          updated_at: answer?.updatedAt ?? null,
        };
      }),
    })),
  };
}
