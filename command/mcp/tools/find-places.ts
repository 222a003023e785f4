import { z } from "zod";
import { config } from "../../../src/config";
import type { Heap } from "../../../src/find/heaps";
import { findWords, unknownSentence } from "../../../src/find/find-words";
import { oldAnswersSentence } from "../../../src/taskpane/ui/labels";
import { type FindRun, placesIn, runFind } from "../../finds/run-find";
import { createRequestNotice } from "../../imports/request-notice";
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
  placeColumns,
  placeOf,
  placeRow,
  whereIn,
} from "../shapes";
import type { TextTable } from "../text-table";
import { tool } from "../tool";

/** The number of places of each group on a page. */
const pageSize = 50;

const group = z.object({ ...paging.shape, places: z.array(place) });

export const findPlaces = tool({
  name: "find_places",
  title: "Find places by their answers",
  description:
    "Sorts places into those that certainly meet conditions on their answers, those that don't, and those of which it is not known, with reasons.",
  input: z.strictObject({
    where: argumentsOf.where,
    if: z
      .array(z.string().trim().min(1).max(300))
      .min(1)
      .max(config.mostConditions)
      .describe(
        'Conditions: a question\'s id or whole name, an operator and a value, such as "1057 at most 300".',
      ),
    any: z.boolean().default(false).describe("True if one condition is enough."),
    page: argumentsOf.page,
  }),
  output: z.object({
    looked: z.int().describe("The number of places that were looked at."),
    conditions: z.string(),
    meet: group,
    do_not_meet: group,
    not_known: z.object({
      ...paging.shape,
      places: z.array(z.object({ ...place.shape, reasons: z.array(z.string()) })),
    }),
    lacking,
  }),
  async run({ where, if: conditions, any, page }, { connected, folders, io, progress }) {
    const whereWords = await whereIn(folders, where);
    const { session } = await connected();
    const asked = { where: whereWords, conditions, any, question: [] };
    const budget = createRequestNotice(io);
    const run = await runFind(asked, session, { signal: io.signal, budget, progress });
    const missing = lackingOf(lackingOfNamed(run.named));
    if (run.old) missing.remarks.push(oldAnswersSentence(run.old));
    const [meet, doNotMeet] = [groupOf(run, "yes", page), groupOf(run, "no", page)];
    const notKnown = unknownGroup(run, page);
    return {
      structured: {
        looked: run.named.ahjs.length,
        conditions: findWords(run.find),
        ...{ meet, do_not_meet: doNotMeet, not_known: notKnown },
        lacking: missing,
      },
      text: [
        {
          title: `Places looked at: ${run.named.ahjs.length.toLocaleString("en-US")}.`,
          columns: [],
          rows: [],
        },
        groupTable("Meet the conditions", meet),
        groupTable("Do not meet them", doNotMeet),
        {
          ...groupTable("Not known", notKnown),
          columns: [...placeColumns, "reasons"],
          rows: notKnown.places.map((each) => [...placeRow(each), each.reasons.join(" ")]),
        },
        ...lackingTables(missing),
      ],
    };
  },
});

function groupOf(run: FindRun, heap: Heap, page: number): z.output<typeof group> {
  const { own, paging: at } = pageOf(placesIn(run, heap), page, pageSize);
  return { ...at, places: own.map(placeOf) };
}

function unknownGroup({ heaps, find, named }: FindRun, page: number) {
  const { own, paging: at } = pageOf(heaps.placesIn("not-known"), page, pageSize);
  const places = own.flatMap((index) => {
    const ahj = named.ahjs[index];
    const reasons = heaps.reasonsFor(index).flatMap(({ condition, reason }) => {
      const unknown = find.conditions[condition];
      return unknown ? [unknownSentence(unknown, reason)] : [];
    });
    return ahj ? [{ ...placeOf(ahj), reasons }] : [];
  });
  return { ...at, places };
}

function groupTable(words: string, { places, ...at }: z.output<typeof group>): TextTable {
  const title = `${words}: ${at.total.toLocaleString("en-US")}${pageWords(at)}.`;
  return { title, columns: placeColumns, rows: places.map(placeRow) };
}
