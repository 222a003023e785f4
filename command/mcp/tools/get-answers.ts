import { z } from "zod";
import { readImport } from "../../../src/workbook/imports/run/run-import";
import { answersJson } from "../../imports/json-answers";
import { questionsOf } from "../../imports/named-questions";
import { jurisdictionsOf } from "../../imports/where";
import { counted } from "../../output/counted";
import { waitingText } from "../../output/progress";
import {
  argumentsOf,
  lacking,
  lackingOf,
  lackingOfNamed,
  lackingTables,
  pageOf,
  pageWords,
  paging,
  place,
  question,
  whereIn,
} from "../shapes";
import { tool } from "../tool";

/** The number of answers on a page. */
const mostAnswers = 200;

export const getAnswers = tool({
  name: "get_answers",
  title: "Get answers",
  description:
    "Gives the published answers of places to questions, each with its citation and the date of its last change.",
  input: z.strictObject({
    where: argumentsOf.where,
    question: argumentsOf.question,
    page: argumentsOf.page,
  }),
  output: z.object({
    ...paging.shape,
    service: z.string(),
    questions: z.array(question),
    rows: z.array(
      z.object({
        ...place.shape,
        answers: z.array(
          z.object({
            question_id: z.int(),
            value: z.string().nullable().describe("As published; null where no value is recorded."),
            reference: z.string().nullable(),
            section: z.string().nullable(),
            updated_at: z.string().nullable(),
          }),
        ),
      }),
    ),
    lacking,
  }),
  async run({ where, question: words, page }, { connected, folders, io, progress }) {
    const whereWords = await whereIn(folders, where);
    const { session } = await connected();
    const { signal } = io;
    progress.show("looking up", 0, 0);
    const types = await questionsOf(words, session, { signal });
    const named = await jurisdictionsOf(whereWords, session, { signal });
    const { own, paging: at } = pageOf(named.ahjs, page, Math.floor(mostAnswers / types.length));
    const { answers, report } = await readImport({ kind: "matrix", ahjs: own, types }, session, {
      ...{ signal, isDated: true },
      onWait: (untilMs) => progress.show(waitingText(untilMs), 0, 0),
      onProgress: ({ done, total }) => progress.show("asking the service", done, total),
    });
    const document = answersJson(answers, session.credentials.baseUrl);
    const missing = lackingOf({ ...lackingOfNamed(named), report });
    const names = new Map(types.map(({ id, name }) => [id, name]));
    const title = `Answers about ${counted(at.total, "place")}${pageWords(at)}.`;
    return {
      structured: { ...at, ...document, lacking: missing },
      text: [
        {
          title,
          columns: ["place", "question", "value", "unit", "reference", "section", "updated_at"],
          rows: document.rows.flatMap((row) =>
            row.answers.map(({ question_id: id, value, reference, section, updated_at: date }) => [
              `${row.name}, ${row.state}`,
              `${names.get(id)} (${id})`,
              value,
              types.find((type) => type.id === id)?.unit_of_measure ?? null,
              ...[reference, section, date],
            ]),
          ),
        },
        ...lackingTables(missing),
      ],
    };
  },
});
