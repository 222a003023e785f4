import { describe, expect, it } from "vitest";
import { playExcel } from "../functions/excel";
import { operationNames, operations } from "./operations";
import { expectOnPage, type Played } from "./page";
import { expectOutcomes, type Fault } from "./run";

/** Plays each fault with each operation, and compares all outcomes with the group's section of docs/reliability.md. */
export function playGroup(group: string, faults: readonly Fault[]) {
  playExcel();
  const played: Played[] = faults.map(({ name }) => ({ fault: name, outcomes: [] }));

  describe.each(faults.map((fault, index) => ({ fault, index, name: fault.name })))(
    "$name",
    ({ fault, index }) => {
      it.each(operationNames.map((name) => [operations[name].name, name] as const))("%s", async (_, name) => {
        played[index]?.outcomes.push(await expectOutcomes(name, fault));
      });
    },
  );

  it("stands in docs/reliability.md, no cell empty", async () => {
    for (const { fault, outcomes } of played) expect(outcomes, fault).toHaveLength(operationNames.length);
    const titles = operationNames.map((name) => operations[name].name);
    await expectOnPage(group, titles, played);
  });
}
