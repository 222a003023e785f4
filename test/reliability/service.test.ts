import { describe, it } from "vitest";
import { playExcel } from "../functions/excel";
import { operationNames, operations } from "./operations";
import { expectOutcomes } from "./run";
import { serviceFaults } from "./service-faults";

playExcel();

describe.each(serviceFaults)("$name", (fault) => {
  it.each(operationNames.map((name) => [operations[name].name, name] as const))("%s", async (_, name) => {
    await expectOutcomes(name, fault);
  });
});
