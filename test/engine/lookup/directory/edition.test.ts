import { describe, expect, it, vi } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import type { Ahj } from "../../../../src/engine/api/schemas";
import type { DocumentCache } from "../../../../src/engine/cache/answer-cache";
import { Failure } from "../../../../src/errors";
import {
  createEdition,
  isListed,
  resolutionOf,
  settle,
} from "../../../../src/engine/lookup/directory/edition";

const ahj = (id: number, geoid: string | null): Ahj => ({
  ...{ id, name: `AHJ ${id}`, type: "city", state_code: "CA", geoid },
});

function editionOf(ahjs: readonly Ahj[], total = ahjs.length) {
  const client = {
    listAhjs: () =>
      Promise.resolve({
        data: { items: ahjs, pagination: { page: 1, page_size: 500, total, total_pages: 1 } },
        ...{ warnings: [], atMs: 0 },
      }),
  } as unknown as Client;
  const onProgress = vi.fn();
  const documents = { read: () => Promise.resolve(new Map()), write() {} } as unknown as DocumentCache;
  return { edition: createEdition(client, documents, 5, onProgress), onProgress };
}

describe("the AHJs that are learned within a day", () => {
  it("are each known by id, and by geoID the one with the lowest id", async () => {
    const { edition, onProgress } = editionOf([
      ahj(7, "06001"),
      ahj(3, "06001"),
      ahj(9, "06001"),
      ahj(4, null),
    ]);
    await edition.whole.readAll();
    expect([...edition.byId.keys()]).toEqual([7, 3, 9, 4]);
    expect(edition.startedAtMs).toBe(5);
    expect(onProgress).toHaveBeenLastCalledWith({ loaded: 4, total: 4 });
    expect(resolutionOf(edition, "06001")).toEqual(ahj(3, "06001"));
    expect(isListed(edition, "06999")).toBe(true);
    expect(resolutionOf(edition, "06999")).toBeUndefined();
  });

  it("are counted as they come, against the service's total", async () => {
    const { edition, onProgress } = editionOf([ahj(1, null)], 9);
    await edition.whole.readFirst();
    expect(onProgress).toHaveBeenCalledWith({ loaded: 1, total: 9 });
  });

  it("include the meaning of a single geoID, whose AHJ is then known by its id", () => {
    const { edition } = editionOf([]);
    settle(edition, "06001", ahj(7, "06001"));
    settle(edition, "06003", new Failure("unknown-jurisdiction"));
    expect([...edition.byId]).toEqual([[7, ahj(7, "06001")]]);
    expect(resolutionOf(edition, "06001")).toEqual(ahj(7, "06001"));
    expect(resolutionOf(edition, "06003")).toMatchObject({ kind: "unknown-jurisdiction" });
  });

  it("give a geoID's meaning by its state's list, until the whole list is read", async () => {
    const { edition } = editionOf([ahj(3, "06001")]);
    await edition.whole.readFirst();
    expect(resolutionOf(edition, "06001")).toBeUndefined();
    edition.states.adopt("CA", [ahj(5, "06001")]);
    expect(resolutionOf(edition, "06001")).toEqual(ahj(5, "06001"));
    expect([isListed(edition, "06999"), isListed(edition, "48001"), isListed(edition, "x1")]).toEqual([
      ...[true, false, false],
    ]);
    await edition.whole.readAll();
    expect(resolutionOf(edition, "06001")).toEqual(ahj(3, "06001"));
  });

  it("tell nothing of a geoID whose state was not listed, or that lies in no state", () => {
    const { edition } = editionOf([]);
    for (const geoid of ["06001", "x1"]) {
      expect(isListed(edition, geoid)).toBe(false);
      expect(resolutionOf(edition, geoid)).toBeUndefined();
    }
  });
});
