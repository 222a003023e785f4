import { partsOf } from "../../../lists";
import { cellAddress } from "../layout/cell-address";
import type { Channel, Place } from "./swap";

/** The notes that are read or written in one request; each takes several calls. */
const notesAtOnce = 200;

/** Notes as texts; null is no note. */
export interface NotesChannel extends Channel<string | null> {
  addressOf(place: Place): string;
}

/** The notes on the cells of a range (ExcelApi 1.18). Excel finds notes by their addresses, so it first asks for the range's. */
export async function notesOf(context: Excel.RequestContext, range: Excel.Range): Promise<NotesChannel> {
  range.load("address");
  await context.sync();
  const { notes } = range.worksheet;
  const addressOf = ({ row, column }: Place) => cellAddress(range.address, row, column);
  const channel = (
    queueAddress: () => () => boolean,
    at: (place: Place) => string,
  ): Channel<string | null> => {
    const noteOn = (place: Place) => notes.getItemOrNullObject(at(place).replace(/^.*!/s, ""));
    return {
      leftBehind: "Notes that had been written could not be taken back.",
      isSame: (one, other) => one === other,
      partsOf: (cells) => partsOf(cells, notesAtOnce),
      queueReading(cells) {
        const read = cells.map((cell) => noteOn(cell).load("content"));
        const isSameAddress = queueAddress();
        return () => ({
          states: read.map((note) => (note.isNullObject ? null : note.content)),
          isInPlace: isSameAddress(),
          addressOf: (index) => at(cells[index] as Place),
        });
      },
      queueWriting(cells) {
        for (const cell of cells) {
          const { has, next } = cell;
          if (has === null && next !== null) notes.add(at(cell).replace(/^.*!/s, ""), next);
          else if (next === null) noteOn(cell).delete();
          else noteOn(cell).content = next;
        }
      },
      pinned(cells) {
        const places = new Map(cells.map((cell) => [`${cell.row} ${cell.column}`, at(cell)]));
        return channel(
          () => () => true,
          ({ row, column }) => places.get(`${row} ${column}`) ?? at({ row, column }),
        );
      },
    };
  };
  const queueAddress = () => {
    const { address } = range;
    range.load("address");
    return () => range.address === address;
  };
  return { ...channel(queueAddress, addressOf), addressOf };
}
