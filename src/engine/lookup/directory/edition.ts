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

/** Everything learned about the directory within a day. Then the directory is read anew. */
export interface Edition {
  startedAtMs: number;
  byId: Map<number, Ahj>;
  /** The service's answers about single geoIDs, and other answers that leave no doubt. */
  asked: Map<string, Resolution>;
  whole: AhjList;
  states: StateLists;
  /** The lists that are or were looked for on disk, by state; undefined stands for the whole list. */
  recalled: Map<string | undefined, Promise<void>>;
  /** States whose list is a part of a kept whole list: it has all geoIDs of the state, but not its AHJs without one. */
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

/** The certain resolution of a geoID: from its own answer, or from a list that shows every AHJ that it may stand for. */
export function resolutionOf(edition: Edition, geoid: string): Resolution | undefined {
  return edition.asked.get(geoid) ?? listFor(edition, geoid)?.byGeoid(geoid);
}

/** True if the list has been read that would show this geoID if its AHJ were entitled. */
export function isListed(edition: Edition, geoid: string): boolean {
  return listFor(edition, geoid) !== undefined;
}

function listFor({ whole, states }: Edition, geoid: string): AhjList | undefined {
  if (whole.isRead()) return whole;
  const state = stateOfGeoid(geoid);
  const list = state === undefined ? undefined : states.list(state);
  return list?.isRead() ? list : undefined;
}
