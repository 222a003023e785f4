import { useCallback } from "react";
import type { Session } from "../../app";
import { type CacheCount, countAnswers } from "../../engine/cache/count";
import { spaceOf } from "../../engine/cache/space";
import { useLoad } from "../ui/loading/use-load";

/** What is kept of a connection, and how much room all takes that the add-in keeps. */
export interface CacheFacts extends CacheCount {
  /** Undefined where the browser does not tell. */
  bytes: number | undefined;
}

/** Counts whenever the screen is shown; undefined until it is counted, null where nothing can be. */
export function useCache({ credentials }: Session, isShown: boolean): CacheFacts | null | undefined {
  const { baseUrl, key } = credentials;
  const count = useCallback(async () => {
    if (!isShown) return undefined;
    try {
      const [counted, bytes] = await Promise.all([countAnswers(spaceOf(baseUrl, key)), usedBytes()]);
      return { ...counted, bytes };
    } catch {
      return null;
    }
  }, [baseUrl, key, isShown]);
  return useLoad(count).value;
}

async function usedBytes(): Promise<number | undefined> {
  // Without a safe address there is no storage to ask.
  const storage = navigator.storage as StorageManager | undefined;
  const estimate = await storage?.estimate().catch(() => undefined);
  return estimate?.usage;
}
