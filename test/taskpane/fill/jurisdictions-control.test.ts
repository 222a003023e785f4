import { beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../../src/app";
import { readListText } from "../../../src/engine/lookup/lists/read-list";
import { resolveList } from "../../../src/engine/lookup/lists/resolve-list";
import { Failure } from "../../../src/errors";
import { createDraftControl, type DraftControl } from "../../../src/taskpane/fill/draft/draft-control";
import type { JurisdictionsControl } from "../../../src/taskpane/fill/jurisdictions/jurisdictions-control";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";

playExcel();

let session: Session;
let drafts: DraftControl;
let jurisdictions: JurisdictionsControl;
beforeEach(async () => {
  const { app } = openExcel();
  session = await inTime(app.session());
  drafts = createDraftControl(app, session);
  jurisdictions = drafts.where;
});

const state = () => drafts.getState().where;
const lookUp = () => jurisdictions.lookUp.getState();
const names = () => state().chosen.map(({ name, state_code }) => `${name}, ${state_code}`);
const paste = (text: string) =>
  inTime(
    jurisdictions.addList(readListText(text), (list, options) => resolveList(list, session.lookup, options)),
  );

describe("a pasted list", () => {
  it("keeps its order, whatever its entries are and whenever its questions are answered", async () => {
    expect(
      await paste("48453\nCochise County, AZ\nBaldwin County\n06001\nSt Louis Cnty, MO\nClark County, NV"),
    ).toMatchObject({ unmatched: [] });
    expect(names()).toEqual([
      "Travis County, TX",
      "Cochise County, AZ",
      "Alameda County, CA",
      "Clark County, NV",
    ]);
    const [baldwin] = state().questions;
    const [, inGeorgia] = baldwin?.candidates ?? [];
    if (!baldwin || !inGeorgia) throw new Error("nothing is asked");
    jurisdictions.change({ type: "settle", question: baldwin, ahj: inGeorgia });
    jurisdictions.change({ type: "settle-guesses" });
    expect(names()).toEqual([
      ...["Travis County, TX", "Cochise County, AZ", "Baldwin County, GA", "Alameda County, CA"],
      ...["St. Louis County, MO", "Clark County, NV"],
    ]);
    expect(state().questions).toEqual([]);
  });

  it("goes behind the jurisdictions chosen before, which keep their order", async () => {
    await paste("32003\n06001");
    await paste("06001\n04003\n32003");
    expect(names()).toEqual(["Clark County, NV", "Alameda County, CA", "Cochise County, AZ"]);
  });

  it("says in which row an entry stands that gives no jurisdiction", async () => {
    await paste("06001\nNowhere County\n\n4899999");
    expect(new Set(state().unmatched)).toEqual(
      new Set([
        { key: "nowhere county", given: "Nowhere County", kind: "nothing-found", row: 2 },
        { key: "4899999", given: "4899999", kind: "unknown-jurisdiction", row: 4 },
      ]),
    );
  });

  it("leaves a skipped question open, with its row", async () => {
    await paste("06001\nBaldwin County");
    jurisdictions.change({ type: "skip-questions" });
    expect(state().unmatched).toEqual([
      { key: "baldwin county", given: "Baldwin County", kind: "skipped", row: 2 },
    ]);
    expect(names()).toEqual(["Alameda County, CA"]);
  });

  it("replaces the messages of the list before if it repeats some of it", async () => {
    await paste("06001\nNowhere County\nBaldwin County");
    expect([state().unmatched.length, state().questions.length]).toEqual([1, 1]);
    await paste("06001\nBaldwin County, GA\nElsewhere County");
    expect(state().unmatched.map(({ given }) => given)).toEqual(["Elsewhere County"]);
    expect(state().questions).toEqual([]);
    expect(names()).toEqual(["Alameda County, CA", "Baldwin County, GA"]);
  });

  it("replaces the messages of the list before if none of that list is chosen", async () => {
    await paste("Nowhere County\nBaldwin County");
    jurisdictions.change({ type: "skip-questions" });
    await paste("06037");
    expect(state().unmatched).toEqual([]);
  });

  it("says nothing any more of entries that are given again, corrected", async () => {
    const outcome = await paste("06001\nNowhere County\nElsewhere County");
    expect(outcome?.unmatched.map(({ given }) => given)).toEqual(["Nowhere County", "Elsewhere County"]);
    jurisdictions.change({ type: "give-again", keys: outcome?.unmatched.map(({ key }) => key) ?? [] });
    await paste("Travis County, TX\nElsewhere County");
    expect(names()).toEqual(["Alameda County, CA", "Travis County, TX"]);
    expect(state().unmatched.map(({ given }) => given)).toEqual(["Elsewhere County"]);
  });

  it("that is added leaves the messages of the list before", async () => {
    await paste("06001\nNowhere County\nBaldwin County");
    await paste("06037\n4899999");
    expect(state().unmatched.map(({ given }) => given)).toEqual(["Nowhere County", "4899999"]);
    expect(state().questions.map(({ name }) => name)).toEqual(["Baldwin County"]);
  });

  it("that fails leaves the chosen jurisdictions, and says why", async () => {
    await paste("06001");
    const failure = new Failure("unreachable");
    expect(await jurisdictions.addList(readListText("06037"), () => Promise.reject(failure))).toBeNull();
    expect(lookUp()).toMatchObject({ status: "failed", failure });
    expect(names()).toEqual(["Alameda County, CA"]);
  });

  it("is given up by Cancel while it is looked up", async () => {
    const adding = jurisdictions.addList(
      readListText("06037"),
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Failure("cancelled")));
        }),
    );
    await Promise.resolve();
    expect(lookUp().status).toBe("running");
    jurisdictions.cancel();
    expect(await inTime(adding)).toBeNull();
    expect(lookUp()).toMatchObject({ status: "failed", failure: { kind: "cancelled" } });
  });
});

describe("a list that is still looked up", () => {
  /** Begins to look up Los Angeles; `answer` gives the answer, even after the list was given up. */
  function begun() {
    let answer = () => {};
    let isGivenUp = false;
    const adding = jurisdictions.addList(readListText("06037"), async (list, options) => {
      options.signal.addEventListener("abort", () => (isGivenUp = true));
      await new Promise<void>((resolve) => (answer = resolve));
      options.onWait(1);
      return resolveList(list, session.lookup, { ...options, signal: undefined });
    });
    return { adding, isGivenUp: () => isGivenUp, answer: () => answer() };
  }

  it("is given up by another list: nothing of it is chosen, and the other one goes on", async () => {
    const first = begun();
    await pass(0);
    const second = begun();
    await pass(0);
    expect(first.isGivenUp()).toBe(true);
    first.answer();
    expect(await inTime(first.adding)).toBeNull();
    expect(state().chosen).toEqual([]);
    expect(lookUp()).toMatchObject({ status: "running", job: { waitingUntilMs: undefined } });
    second.answer();
    expect(await inTime(second.adding)).toMatchObject({ unmatched: [] });
    expect(names()).toEqual(["Los Angeles County, CA"]);
    expect(lookUp().status).toBe("done");
  });

  it.each<[string, () => unknown]>([
    ["when all are removed", () => undefined],
    ["when an import's jurisdictions are wanted again", () => paste("06001")],
    ["when a whole state is added", () => inTime(jurisdictions.addState("DC"))],
  ])("is given up %s", async (_, then) => {
    const { adding, answer, isGivenUp } = begun();
    await pass(0);
    jurisdictions.clear();
    expect(lookUp().status).toBe("idle");
    await then();
    expect(isGivenUp()).toBe(true);
    const before = [state(), lookUp()];
    answer();
    expect(await inTime(adding)).toBeNull();
    expect([state(), lookUp()]).toEqual(before);
  });

  it("leaves the question of the list after it standing", async () => {
    const first = begun();
    await pass(0);
    const second = jurisdictions.addList(readListText("4899999"), async (_, { maySend }) => {
      await maySend({ entries: ["4899999"], requests: 1 } as never);
      return { found: [], ambiguous: [], unmatched: [] };
    });
    await pass(0);
    first.answer();
    await inTime(first.adding);
    expect(lookUp()).toMatchObject({ status: "asking", question: { requests: 1 } });
    jurisdictions.clear();
    expect(await inTime(second)).toBeNull();
    expect(lookUp().status).toBe("idle");
  });
});

describe("a state", () => {
  it("is added whole, or one kind of jurisdiction in it", async () => {
    await inTime(jurisdictions.addState("NV", "county"));
    expect(state().chosen.every(({ type, state_code }) => type === "county" && state_code === "NV")).toBe(
      true,
    );
    // Nevada has 16 counties and Carson City (US Census Bureau).
    expect(state().lastState).toEqual({ state: "NV", kind: "county", found: 17, missing: 0 });
    await inTime(jurisdictions.addState("NV"));
    expect(state().chosen.length).toBeGreaterThan(17);
  });
});

describe("a chosen jurisdiction", () => {
  it("can be removed and chosen again, then at the end", async () => {
    await paste("06001\n06037");
    const [alameda] = state().chosen;
    if (!alameda) throw new Error("nothing is chosen");
    jurisdictions.change({ type: "remove", ahjId: alameda.id });
    jurisdictions.change({ type: "add", ahjs: [alameda] });
    expect(names()).toEqual(["Los Angeles County, CA", "Alameda County, CA"]);
    jurisdictions.clear();
    expect(state()).toMatchObject({ chosen: [], unmatched: [], lastList: undefined });
  });
});
