import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import type { Collection, DataPointType } from "../../../../src/engine/api/schemas";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import { createCatalogue, isNamed } from "../../../../src/engine/lookup/catalogue/catalogue";
import { createOldAnswerNotes } from "../../../../src/engine/lookup/old-answers";
import { device } from "../device";

const type = (id: number, name = `Type ${id}`, unit_of_measure = ""): DataPointType => ({
  ...{ id, name, description: "", unit_of_measure, category_ids: [] },
});
const collection = (
  id: string,
  name: string,
  typeIds: number[] = [1],
  categoryIds: number[] = [],
): Collection =>
  ({
    ...{ id, organization_id: "o", name, description: "" },
    ...{ data_point_type_ids: typeIds, category_ids: categoryIds },
  }) as Collection;

interface Service {
  types?: DataPointType[];
  collections?: Collection[];
  units?: string[] | FormulaFailureKind;
}

function catalogueOver(service: Service = {}, documents = device()) {
  const asked: string[] = [];
  const list = (name: string, items: () => unknown[]) => () => {
    asked.push(name);
    return Promise.resolve({
      data: {
        items: items(),
        pagination: { page: 1, page_size: 500, total: items().length, total_pages: 1 },
      },
      ...{ warnings: [], atMs: Date.now() },
    });
  };
  const client = {
    listTypes: list("types", () => [...(service.types ?? [])]),
    listCategories: list("categories", () => [
      { id: 2, name: "Fees" },
      { id: 1, name: "Codes" },
    ]),
    listCollections: list("collections", () => [...(service.collections ?? [])]),
    listUnits() {
      asked.push("units");
      const units = service.units ?? [];
      if (typeof units === "string") return Promise.reject(new Failure(units));
      return Promise.resolve({ data: units.map((name) => ({ name })), warnings: [], atMs: Date.now() });
    },
  } as unknown as Client;
  const old = createOldAnswerNotes(() => {});
  return { catalogue: createCatalogue(client, { documents, old }), asked, documents, service };
}

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("the catalogue", () => {
  it("lists types and categories by id, each asked for once a day", async () => {
    const { catalogue, asked } = catalogueOver({ types: [type(3), type(1), type(2)] });
    expect((await catalogue.types()).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect((await catalogue.categories()).map(({ id }) => id)).toEqual([1, 2]);
    await Promise.all([catalogue.types(), catalogue.categories()]);
    expect(asked).toEqual(["types", "categories"]);
  });

  it("has the units that the service lists", async () => {
    const { catalogue, asked } = catalogueOver({ units: ["feet", "days"] });
    expect(await catalogue.units()).toEqual([{ name: "feet" }, { name: "days" }]);
    expect(asked).toEqual(["units"]);
  });

  it("takes the units of the types if the service has no such list, each once and none without a name", async () => {
    const types = [type(1, "a", "feet"), type(2, "b"), type(3, "c", "days"), type(4, "d", "feet")];
    const { catalogue } = catalogueOver({ types, units: "not-found" });
    expect(await catalogue.units()).toEqual([{ name: "feet" }, { name: "days" }]);
  });

  it("does not make units up if the service fails otherwise", async () => {
    const { catalogue } = catalogueOver({ types: [type(1, "a", "feet")], units: "service-error" });
    await expect(catalogue.units()).rejects.toMatchObject({ kind: "service-error" });
  });
});

describe("types by name", () => {
  it("are found by that name, in other letters if none has these, and otherwise the reason is said", async () => {
    const types = [
      ...[type(1, " Fee\r\n(total) "), type(2, "Days"), type(3, "Days"), type(4, "fee")],
      ...[type(5, "Height"), type(6, "HEIGHT"), type(7, "height")],
    ];
    const { catalogue } = catalogueOver({ types });
    const ids = await catalogue.typeIds(["Fee\n(total)", "Days", "Fee", "HEIGHT", "heighT", "Fees"]);
    expect(ids.get("Fee")).toBe(4);
    expect(ids.get("HEIGHT")).toBe(6);
    expect(ids.get("heighT")).toMatchObject({ kind: "ambiguous-name" });
    expect(ids.get("Fees")).toMatchObject({
      kind: "unknown-type",
      nextStep: expect.stringContaining('"fee" (4)'),
    });
    expect(ids.get("Fee\n(total)")).toBe(1);
    expect(ids.get("Days")).toMatchObject({ kind: "ambiguous-name" });
  });

  it("that the catalogue lacks are looked for in a new catalogue, at most once a minute", async () => {
    const { catalogue, asked, service } = catalogueOver({ types: [type(1, "Fee")] });
    await catalogue.types();
    service.types = [type(1, "Fee"), type(2, "New")];
    expect((await catalogue.typeIds(["New"])).get("New")).toMatchObject({ kind: "unknown-type" });
    pass(59_999);
    expect((await catalogue.typeIds(["Fee", "New"])).get("New")).toBeInstanceOf(Failure);
    expect(asked).toEqual(["types"]);
    pass(1);
    expect(await catalogue.typeIds(["Fee", "New"])).toEqual(
      new Map([
        ["Fee", 1],
        ["New", 2],
      ]),
    );
    pass(60_000);
    // No name is missing any more, so the types are not read again.
    await catalogue.typeIds(["Fee", "New"]);
    expect(asked).toEqual(["types", "types"]);
  });

  it("that several types have are not asked for again", async () => {
    const { catalogue, asked } = catalogueOver({ types: [type(1, "Fee"), type(2, "Fee")] });
    await catalogue.types();
    pass(60_000);
    await catalogue.typeIds(["Fee"]);
    expect(asked).toEqual(["types"]);
  });

  it.each([
    ["Fee", "Fee", true],
    [" Fee\t", "Fee", true],
    ["Fee\rand\r\nmore", "Fee\nand\nmore", true],
    ["Fee\n\nx", "Fee\nx", false],
    ["fee", "Fee", false],
  ])("%j is %j in a cell: %s", (name, shown, isIt) => expect(isNamed(name, shown)).toBe(isIt));
});

describe("types by id", () => {
  it("are real if the catalogue has them; for a missing one a new catalogue is read", async () => {
    const { catalogue, asked, service } = catalogueOver({ types: [type(1)] });
    expect(await catalogue.realTypeIds([1])).toEqual(new Set([1]));
    service.types = [type(1), type(2)];
    pass(60_000);
    expect(await catalogue.realTypeIds([1])).toEqual(new Set([1]));
    expect(asked).toEqual(["types"]);
    expect(await catalogue.realTypeIds([1, 2, 3])).toEqual(new Set([1, 2]));
    expect(asked).toEqual(["types", "types"]);
  });

  it("are known from any answer, in the next session too", async () => {
    const { catalogue, documents } = catalogueOver();
    expect(catalogue.knownType(7)).toBeUndefined();
    catalogue.learn([type(7), type(8)]);
    expect(catalogue.knownType(7)).toEqual(type(7));
    await catalogue.recall();
    catalogue.learn([type(8)]);
    await catalogue.recall();
    // Nothing is written if nothing is new.
    expect(documents.write).toHaveBeenCalledTimes(1);

    const next = catalogueOver({}, documents).catalogue;
    const recalled = Promise.all([next.recall(), next.recall()]);
    // A newer type comes in meanwhile.
    next.learn([type(7, "Newer")]);
    await recalled;
    expect(next.knownType(7)).toEqual(type(7, "Newer"));
    expect(next.knownType(8)).toEqual(type(8));
  });

  it("stay known if the next session's first answer teaches other types", async () => {
    const { catalogue, documents } = catalogueOver();
    catalogue.learn([type(7)]);
    await catalogue.recall();
    const next = catalogueOver({}, documents).catalogue;
    next.learn([type(9)]);
    await next.recall();
    const last = catalogueOver({}, documents).catalogue;
    await last.recall();
    expect([last.knownType(7), last.knownType(9)]).toEqual([type(7), type(9)]);
  });

  it.each<[string, Partial<DataPointType>]>([
    ["name", { name: "Permit fee" }],
    ["unit", { unit_of_measure: "$" }],
    ["description", { description: "What a permit costs" }],
    ["categories", { category_ids: [3] }],
  ])("with their %s changed by the service stay changed in the next session", async (_, changed) => {
    const { catalogue, documents } = catalogueOver();
    catalogue.learn([type(7), type(8)]);
    await catalogue.recall();
    const next = catalogueOver({}, documents).catalogue;
    await next.recall();
    next.learn([{ ...type(7), ...changed }]);
    expect(next.knownType(7)).toEqual({ ...type(7), ...changed });
    await next.recall();
    const last = catalogueOver({}, documents).catalogue;
    await last.recall();
    expect(last.knownType(7)).toEqual({ ...type(7), ...changed });
    expect(last.knownType(8)).toEqual(type(8));
  });

  it("are written anew each day, so that they are not removed for their age", async () => {
    const { catalogue, documents } = catalogueOver();
    catalogue.learn([type(7)]);
    await catalogue.recall();
    pass(86_400_000);
    const next = catalogueOver({}, documents).catalogue;
    await next.recall();
    next.learn([type(7)]);
    await next.recall();
    expect(documents.kept.get("types-seen")?.fetchedAtMs).toBe(Date.now());
  });

  it("are known once the catalogue was read", async () => {
    const { catalogue } = catalogueOver({ types: [type(1)] });
    await catalogue.types();
    expect(catalogue.knownType(1)).toEqual(type(1));
  });
});

describe("collections", () => {
  const collections = [
    collection("B1", "Solar"),
    collection("A2", " Codes\r\nof law "),
    collection("C3", "Twins"),
    collection("D4", "Twins"),
  ];

  it("are listed by name, as they are now", async () => {
    const { catalogue, asked } = catalogueOver({ collections });
    expect((await catalogue.collections()).map(({ id }) => id)).toEqual(["A2", "B1", "C3", "D4"]);
    await catalogue.collections();
    expect(asked).toEqual(["collections", "collections"]);
  });

  it("are asked for once a minute by formulas", async () => {
    const { catalogue, asked } = catalogueOver({ collections });
    await catalogue.recentCollections();
    pass(59_999);
    await catalogue.recentCollections();
    expect(asked).toHaveLength(1);
    pass(1);
    await catalogue.recentCollections();
    expect(asked).toHaveLength(2);
  });

  it("are found by id or name in any case, and by exactly their name before others", async () => {
    const { catalogue } = catalogueOver({ collections: [...collections, collection("solar", "Other")] });
    expect((await catalogue.collection("b1")).id).toBe("B1");
    expect((await catalogue.collection("SOLAR")).id).toBe("solar");
    expect((await catalogue.collection("Codes\nof law")).id).toBe("A2");
    await expect(catalogue.collection("Twins")).rejects.toMatchObject({ kind: "ambiguous-name" });
    expect((await catalogue.collection("codes\nOF LAW")).id).toBe("A2");
    const twins = catalogueOver({ collections: [collection("E5", "Zoning"), collection("F6", "ZONING")] });
    expect((await twins.catalogue.collection("ZONING")).id).toBe("F6");
    await expect(twins.catalogue.collection("zoning")).rejects.toMatchObject({ kind: "ambiguous-name" });
  });

  it.each(["Residentail solar", "residential solr", "Solar", "solar residential"])(
    "that are misspelled (%s) are told with the one that is probably meant",
    async (name) => {
      const { catalogue } = catalogueOver({
        collections: [collection("1", "Residential Solar"), collection("2", "Zoning")],
      });
      await expect(catalogue.collection(name)).rejects.toThrow(
        'There is no collection with this name or id. Did you mean "Residential Solar"?',
      );
    },
  );

  it("that do not exist are told with those that there are, long names only in part", async () => {
    await expect(catalogueOver({ collections: [] }).catalogue.collection("Residential")).rejects.toThrow(
      /^There is no collection with this name or id\. List yours with =REGDATA\.COLLECTIONS\(\)\.$/,
    );
    const few = catalogueOver({
      collections: [collection("1", "Zoning"), collection("2", "Solar " + "y".repeat(60))],
    });
    await expect(few.catalogue.collection("Residential")).rejects.toThrow(
      `There is no collection with this name or id. Yours: "Solar ${"y".repeat(44)}", "Zoning".`,
    );
    const many = Array.from({ length: 7 }, (_, at) => collection(String(at), `C${at}`));
    await expect(catalogueOver({ collections: many }).catalogue.collection("Residential")).rejects.toThrow(
      /Yours: "C0", "C1", "C2", "C3", "C4" and 2 more\.$/,
    );
  });

  it("that select nothing are not taken for a collection that may be run, which is asked for once a day", async () => {
    const { catalogue, asked } = catalogueOver({
      collections: [collection("1", "a", []), collection("2", "b", [], [5]), collection("3", "c")],
    });
    expect((await catalogue.anyCollection())?.id).toBe("2");
    pass(86_399_999);
    await catalogue.anyCollection();
    expect(asked).toHaveLength(1);
    expect(
      await catalogueOver({ collections: [collection("1", "a", [])] }).catalogue.anyCollection(),
    ).toBeUndefined();
  });
});
