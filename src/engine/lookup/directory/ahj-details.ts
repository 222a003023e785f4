import { isUnknownToService } from "../../api/answer-failure";
import type { Client } from "../../api/client";
import * as schemas from "../../api/schemas";
import type { AhjDetail } from "../../api/schemas";
import { isWithinAge } from "../../cache/age";
import type { DocumentCache } from "../../cache/answer-cache";
import { config } from "../../../config";
import { cancelled, Failure } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import { askEach } from "../ask-each";
import { readDocuments } from "../kept-document";
import type { OldAnswerNotes } from "../old-answers";
import { createSharedWorks } from "../shared-work";

/** Facts about an AHJ that only the detail endpoint tells: county, population, position. Each AHJ takes a request (endpoint 2). */
export interface Details {
  /** The AHJs for which `read` would ask the service, given the details in memory. */
  unknown(ahjIds: Iterable<number>): Set<number>;
  /** Every AHJ asked for is in the result. `onDetail` is called with each as soon as it is known. Only `cancelled` is thrown. */
  read(
    ahjIds: Iterable<number>,
    options?: ExchangeOptions,
    onDetail?: (ahjId: number, detail: AhjDetail | Failure) => void,
  ): Promise<Map<number, AhjDetail | Failure>>;
  /** Keeps a detail that another request has brought, so that it is not asked for again. */
  learn(detail: AhjDetail): void;
}

interface KeptDetail {
  detail: AhjDetail;
  fetchedAtMs: number;
}

export function createDetails(
  client: Client,
  { documents, old }: { documents: DocumentCache; old: Pick<OldAnswerNotes, "isBetter" | "note"> },
  learnAhj: (ahj: AhjDetail) => void,
): Details {
  const known = new Map<number, KeptDetail>();
  const asking = createSharedWorks(fetchAndKeep);

  const isFresh = (kept: KeptDetail | undefined) =>
    kept !== undefined && isWithinAge(kept.fetchedAtMs, config.directoryAgeMs);
  const documentOf = (ahjId: number) => `detail ${ahjId}`;

  async function recall(ahjIds: readonly number[]) {
    for (const kept of (await readDocuments(documents, ahjIds.map(documentOf), schemas.ahjDetail)).values()) {
      known.set(kept.content.id, { detail: kept.content, fetchedAtMs: kept.fetchedAtMs });
    }
  }

  async function fetchAndKeep(ahjId: number, options: ExchangeOptions): Promise<AhjDetail> {
    const { data: detail } = await client.getAhj({ ahj_id: ahjId }, options);
    learn(detail);
    return detail;
  }

  function learn(detail: AhjDetail) {
    const fetchedAtMs = Date.now();
    known.set(detail.id, { detail, fetchedAtMs });
    learnAhj(detail);
    old.note(documentOf(detail.id), undefined);
    documents.write(documentOf(detail.id), { fetchedAtMs, content: detail });
  }

  /** The result for an AHJ whose request failed: old details if the service could not be asked, otherwise the failure. */
  function afterFailure(ahjId: number, failure: Failure): AhjDetail | Failure {
    const kept = known.get(ahjId);
    if (kept && old.isBetter(failure, documentOf(ahjId), kept.fetchedAtMs)) return kept.detail;
    return isUnknownToService(failure) ? new Failure("unknown-jurisdiction") : failure;
  }

  return {
    learn,
    unknown: (ahjIds) => new Set([...ahjIds].filter((ahjId) => !isFresh(known.get(ahjId)))),
    async read(ahjIds, options, onDetail) {
      const wanted = [...new Set(ahjIds)];
      await recall(wanted.filter((ahjId) => !isFresh(known.get(ahjId))));
      const answers = new Map<number, AhjDetail | Failure>();
      const tell = (ahjId: number, detail: AhjDetail | Failure) => {
        answers.set(ahjId, detail);
        onDetail?.(ahjId, detail);
      };
      const unknown: number[] = [];
      for (const ahjId of wanted) {
        const kept = known.get(ahjId);
        if (kept && isFresh(kept)) tell(ahjId, kept.detail);
        else unknown.push(ahjId);
      }
      await askEach(
        unknown,
        (ahjId) => asking.join(ahjId, options),
        (ahjId, detail) => tell(ahjId, detail instanceof Failure ? afterFailure(ahjId, detail) : detail),
        options?.signal,
      );
      if (options?.signal?.aborted) throw cancelled;
      return answers;
    },
  };
}
