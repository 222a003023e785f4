import * as z from "../../zod";
import type { Ahj } from "./schemas";

/** An AHJ as it is stored on this device and among a workbook's last-known values: without the names of its fields, to save space. */
export const ahjRow = z.tuple([z.int(), z.string(), z.string(), z.string(), z.nullable(z.string())]);
type AhjRow = z.infer<typeof ahjRow>;

export function rowOfAhj({ id, name, type, state_code, geoid }: Ahj): AhjRow {
  return [id, name, type, state_code, geoid];
}

export function ahjOfRow([id, name, type, state_code, geoid]: AhjRow): Ahj {
  return { id, name, type, state_code, geoid };
}
