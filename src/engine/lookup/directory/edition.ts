import type { Client } from "../../api/client";
import type { Ahj } from "../../api/schemas";
import type { DocumentCache } from "../../cache/answer-cache";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import { type AhjList, createAhjList } from "./ahj-list";
import { createStateLists, type StateLists } from "./state-lists";
import { stateOfGeoid } from "./states";

/** The AHJ that a geoID stands for, or why there is none. */
export type Resolution = Ahj | Failure;

export interface DirectoryProgress {
  loaded: number;
  total: number;
}

/** What was learnt within a day: then the directory is read anew. */
export interface Edition {
  startedAtMs: number;
  byId: Map<number, Ahj>;
  /** What the service said when it was asked about a geoID alone, or in another way that leaves no doubt. */
  asked: Map<string, Resolution>;
  whole: AhjList;
  states: StateLists;
  /** Lists that are or were looked for on disk: states, and undefined for the whole. */
  recalled: Map<string | undefined, Promise<void>>;
  /** States whose list is a part of a kept whole: all geoIDs of the state, but not its AHJs without one. */
  partial: Set<string>;
}

export function createEdition(
  client: Client,
  serviceFacts: DocumentCache,
  startedAtMs: number,
  onProgress: (progress: DirectoryProgress) => void,
): Edition {
  const byId = new Map<number, Ahj>();
  const learn = (ahjs: readonly Ahj[]) => {
    for (const ahj of ahjs) byId.set(ahj.id, ahj);
  };
  const whole = createAhjList(
    async (page, options) => (await client.listAhjs({ page, page_size: config.pageSize }, options)).data,
    (ahjs) => {
      learn(ahjs);
      onProgress({ loaded: byId.size, total: whole.total() ?? byId.size });
    },
  );
  const states = createStateLists(client, serviceFacts, learn);
  return {
    startedAtMs,
    byId,
    asked: new Map(),
    whole,
    states,
    recalled: new Map(),
    partial: new Set(),
  };
}

export function settle(edition: Edition, geoid: string, resolution: Resolution) {
  edition.asked.set(geoid, resolution);
  if (!(resolution instanceof Failure)) edition.byId.set(resolution.id, resolution);
}

/** What is certain of a geoID: by its own answer, or by a list that shows every AHJ that it may stand for. */
export function resolutionOf(edition: Edition, geoid: string): Resolution | undefined {
  return edition.asked.get(geoid) ?? listFor(edition, geoid)?.byGeoid(geoid);
}

/** Whether the list has been read that would show this geoID if its AHJ were entitled. */
export function isListed(edition: Edition, geoid: string): boolean {
  return listFor(edition, geoid) !== undefined;
}

function listFor({ whole, states }: Edition, geoid: string): AhjList | undefined {
  if (whole.isRead()) return whole;
  const state = stateOfGeoid(geoid);
  const list = state === undefined ? undefined : states.list(state);
  return list?.isRead() ? list : undefined;
}
