import * as z from "../../zod";
import type { Ahj } from "./schemas";

type AhjRow = [id: number, name: string, type: string, stateCode: string, geoid: string | null];

/**
 * An AHJ as it is stored on this device and among a workbook's last-known values: without the names of its fields, to save space. One
 * function checks a whole row, because a check field by field takes four times as long for the directory's thirty thousand AHJs.
 */
export const ahjRow = z.custom<AhjRow>(isAhjRow);

function isAhjRow(row: unknown): boolean {
  if (!Array.isArray(row) || row.length !== 5) return false;
  const [id, name, type, stateCode, geoid] = row as unknown[];
  return (
    Number.isSafeInteger(id) &&
    typeof name === "string" &&
    typeof type === "string" &&
    typeof stateCode === "string" &&
    (typeof geoid === "string" || geoid === null)
  );
}

export function rowOfAhj({ id, name, type, state_code, geoid }: Ahj): AhjRow {
  return [id, name, type, state_code, geoid];
}

export function ahjOfRow([id, name, type, state_code, geoid]: AhjRow): Ahj {
  return { id, name, type, state_code, geoid };
}
