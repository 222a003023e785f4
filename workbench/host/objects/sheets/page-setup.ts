import { HostError } from "../../host-error";
import { kept, truth, type Family, type Model, type Ref } from "../object-model";
import { rangeAt, rangeOf } from "../range-object";

/** Printing beside titles, areas, headers and footers. */
export const pageSetupFamily: Family<"PageLayout" | "Worksheet" | "PageBreakCollection" | "PageBreak"> = {
  PageLayout({ sheetId }, model) {
    const flag = (name: string) => kept(model, sheetId, name, { read: truth, initial: false });
    return {
      properties: {
        BlackAndWhite: flag("BlackAndWhite"),
        CenterHorizontally: flag("CenterHorizontally"),
        CenterVertically: flag("CenterVertically"),
        DraftMode: flag("DraftMode"),
        PrintGridlines: flag("PrintGridlines"),
        PrintHeadings: flag("PrintHeadings"),
      },
    };
  },
  Worksheet: ({ sheetId }) => ({
    links: {
      HorizontalPageBreaks: () => ({ type: "PageBreakCollection", sheetId, axis: "row" }),
      VerticalPageBreaks: () => ({ type: "PageBreakCollection", sheetId, axis: "column" }),
    },
  }),
  PageBreakCollection({ sheetId, axis }, model) {
    const breaks = breaksOf(sheetId, axis, model);
    const ref = (at: number): Ref<"PageBreak"> => ({ type: "PageBreak", sheetId, axis, at });
    return {
      items: () => breaks.get().map(ref),
      calls: {
        GetCount: () => breaks.get().length,
        RemovePageBreaks: () => breaks.set([]),
      },
      objects: {
        // "Adds a page break before the top-left cell of the range specified" (PageBreakCollection.add in @types/office-js).
        Add(range) {
          const { rect } = rangeOf(range, model, sheetId);
          const at = axis === "row" ? rect.row : rect.column;
          // Nothing comes before the first line. Microsoft does not document this: the strict assumption.
          if (at === 0) throw new HostError("InvalidArgument", "a page break before the first line");
          breaks.set([...new Set([...breaks.get(), at])].sort((one, other) => one - other));
          return ref(at);
        },
      },
    };
  },
  PageBreak: ({ sheetId, axis, at }, model) => ({
    id: at,
    properties: {
      ColumnIndex: { get: () => (axis === "column" ? at : 0) },
      RowIndex: { get: () => (axis === "row" ? at : 0) },
    },
    objects: {
      GetCellAfterBreak: () =>
        rangeAt(sheetId, {
          row: axis === "row" ? at : 0,
          column: axis === "column" ? at : 0,
          rows: 1,
          columns: 1,
        }),
    },
    calls: {
      Delete() {
        const breaks = breaksOf(sheetId, axis, model);
        breaks.set(breaks.get().filter((each) => each !== at));
      },
    },
  }),
};

function breaksOf(sheetId: string, axis: "row" | "column", model: Model) {
  return kept<number[]>(model, sheetId, `${axis} breaks`, {
    read: (value) => value as number[],
    initial: [],
  });
}
