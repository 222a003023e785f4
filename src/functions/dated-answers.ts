import { isBlank } from "../engine/lookup/asked-names";
import type { Ahj } from "../engine/api/schemas";
import { utcMs } from "../engine/api/utc-time";
import { Failure } from "../errors";
import { notADate } from "../workbook/formula-text/argument-refusals";
import { cellText } from "../workbook/sheet/values/cell-value";
import { msOfSerial } from "../workbook/sheet/values/serial-date";
import type { Planned } from "./answer-plan";
import type { Call } from "./call";
import {
  type ResultCell,
  citationProperties,
  hasCards,
  type Host,
  property,
  type TypedAnswer,
  typedCell,
  valueCell,
} from "./excel-values";
import { planGrid } from "./jurisdiction-grid";
import { everyCell } from "./value-and-citation";

/** =REGDATA.CARD */
export function card(call: Call, args: { geoid: unknown; typeId: unknown }): Planned | Promise<Planned> {
  return planGrid(
    { geoids: args.geoid, typeIds: args.typeId },
    {
      wanted() {
        const isCard = hasCards(call.app);
        return { dated: isCard, ahjs: isCard };
      },
      rowsOf: (grid) =>
        everyCell(grid, (answer, row) => {
          if (answer instanceof Failure) return answer;
          const ahj = hasCards(call.app) ? grid.ahj(row) : null;
          if (ahj instanceof Failure) return ahj;
          return ahj ? cardCell(answer, ahj, call.app) : valueCell(answer, call.app);
        }),
    },
  );
}

/** =REGDATA.CHANGED */
export async function changed(
  call: Call,
  args: { geoid: unknown; typeId: unknown; since: unknown },
): Promise<Planned> {
  if (isBlank(args.since)) return [[""]];
  if (typeof args.since === "number") await call.app.learnDates();
  const sinceMs = momentOf(args.since);
  return planGrid(
    { geoids: args.geoid, typeIds: args.typeId },
    {
      wanted: () => ({ dated: true }),
      rowsOf: (grid) =>
        everyCell(grid, (answer) => {
          if (answer instanceof Failure) return answer;
          if (answer.cell.updatedAt === null) return new Failure("unreachable");
          const updatedMs = utcMs(answer.cell.updatedAt);
          return Number.isNaN(updatedMs) ? new Failure("unexpected-answer") : updatedMs > sinceMs;
        }),
    },
  );
}

/** The time of a date in UTC, in milliseconds since 1970. The argument is Excel's number or a text in ISO 8601. */
function momentOf(argument: unknown): number {
  const ms =
    typeof argument === "number" ? msOfSerial(argument) : utcMs(typeof argument === "string" ? argument : "");
  if (!Number.isNaN(ms)) return ms;
  throw notADate(argument);
}

/** The value as a card that shows its jurisdiction, its question and its citation. For hosts with cards. */
export function cardCell(answer: TypedAnswer, ahj: Pick<Ahj, "name" | "state_code">, host: Host): ResultCell {
  const { cell, type } = answer;
  const properties: Excel.EntityCellValue["properties"] = {
    Value: property(typedCell(answer, host, false)),
    Jurisdiction: property(cellText(`${ahj.name}, ${ahj.state_code}`)),
    Question: property(cellText(type.name)),
    Unit: property(cellText(type.unit_of_measure)),
    ...citationProperties(cell, host),
  };
  const card: Excel.EntityCardLayout = {
    title: { property: "Question" },
    subTitle: { property: "Jurisdiction" },
    sections: [{ layout: "List", properties: Object.keys(properties) }],
  };
  return { type: "Entity", text: cellText(cell.value), properties, layouts: { card } };
}
