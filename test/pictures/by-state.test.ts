import { describe, expect, it } from "vitest";
import { stateTable } from "../../src/pictures/by-state";
import { answer, fee } from "./pictured";

let ids = 0;
/** Another jurisdiction of a state. */
const inState = (state_code: string) => ({ id: (ids += 1), state_code });

describe("the table by state", () => {
  it("has the median, the share with a value and the count of each state, with bars of a common length", () => {
    const all = [
      answer(300, inState("TX")),
      answer(100, inState("TX")),
      answer(200, inState("TX")),
      answer("no value", inState("TX")),
      answer(50, inState("CA")),
      answer("not known", inState("NV")),
      answer(10, inState("")),
    ];
    expect(stateTable(fee, all)).toEqual({
      of: "amounts",
      rows: [
        { state: "CA", jurisdictions: 1, values: 1, share: 1, typical: { text: "$50", length: 1 / 4 } },
        { state: "NV", jurisdictions: 1, values: 0, share: 0, typical: null },
        { state: "TX", jurisdictions: 4, values: 3, share: 3 / 4, typical: { text: "$200", length: 1 } },
        { state: "", jurisdictions: 1, values: 1, share: 1, typical: { text: "$10", length: 1 / 20 } },
      ],
    });
  });

  it("has the commonest kind where the values are texts", () => {
    const all = ["NEC 2020", "NEC 2017", "NEC 2020"].map((text) => answer(text, inState("OH")));
    expect(stateTable(fee, all)).toEqual({
      of: "kinds",
      rows: [
        { state: "OH", jurisdictions: 3, values: 3, share: 1, typical: { text: "NEC 2020", length: 2 / 3 } },
      ],
    });
  });
});
