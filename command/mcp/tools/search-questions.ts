import { z } from "zod";
import type { DataPointType } from "../../../src/engine/api/schemas";
import { createTypeFinder } from "../../../src/engine/lookup/search/find-types";
import { argumentsOf, pageOf, pageWords, paging, question, questionOf } from "../shapes";
import { tool } from "../tool";

const pageSize = 25;

export const searchQuestions = tool({
  name: "search_questions",
  title: "Search questions",
  description: "Finds the questions that the service answers by words of your own, with their ids and units.",
  input: z.strictObject({
    words: z
      .string()
      .max(200)
      .default("")
      .describe(
        'What you want to know, such as "how long does plan review take". Without words: all questions.',
      ),
    page: argumentsOf.page,
  }),
  output: z.object({
    ...paging.shape,
    only_close: z.boolean().describe("True if no question has everything that the words say."),
    questions: z.array(z.object({ ...question.shape, description: z.string().nullable() })),
  }),
  async run({ words, page }, { connected, io }) {
    const { catalogue } = (await connected()).session.lookup;
    const types: DataPointType[] = await catalogue.types({ signal: io.signal });
    // The names of the categories only help the search, so they are not worth a request.
    const categories = await catalogue.categories({ keptOnly: true }).catch(() => []);
    const found = createTypeFinder(types, categories).find(words);
    const { own, paging: at } = pageOf(found.types, page, pageSize);
    const questions = own.map((type) => ({ ...questionOf(type), description: type.description ?? null }));
    const what = found.areClose ? "No question has all of the words. Close ones" : "Questions found";
    return {
      structured: { ...at, only_close: found.areClose, questions },
      text: [
        {
          title: `${what}: ${at.total.toLocaleString("en-US")}${pageWords(at)}.`,
          columns: ["id", "name", "unit", "description"],
          rows: questions.map(({ id, name, unit, description }) => [id, name, unit, description]),
        },
      ],
    };
  },
});
