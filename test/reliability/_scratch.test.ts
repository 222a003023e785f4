import { it, vi } from "vitest";
import { playExcel } from "../functions/excel";
import { operationNames } from "./operations";
import { outcomesOf, type Fault } from "./run";
import { probes } from "./_probes";
playExcel();
for (const fault of probes as Fault[]) for (const name of operationNames) it(fault.name + " > " + name, async () => {
  try {
    const all = await outcomesOf(name, fault);
    console.log("##", fault.name, ">", name, JSON.stringify(all));
  } catch (e: any) { console.log("##!!", fault.name, ">", name, String(e.message).slice(0, 300), JSON.stringify(e.expected ?? null)?.length, diff(e.expected, e.actual)); }
});
function diff(a: any, b: any, path = ""): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return [path + ": " + JSON.stringify(a)?.slice(0, 120) + " != " + JSON.stringify(b)?.slice(0, 120)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((k) => diff(a[k], b[k], path + "/" + k)).slice(0, 6);
}
