import type { Ahj } from "../engine/api/schemas";
import { cellText } from "../workbook/sheet/values/cell-value";
import {
  type Cell,
  citationProperties,
  type Host,
  property,
  type Published,
  typedCell,
} from "./excel-values";

/** The value as a card that shows its jurisdiction, its question and its citation. For hosts with cards. */
export function cardCell(answer: Published, ahj: Pick<Ahj, "name" | "state_code">, host: Host): Cell {
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
