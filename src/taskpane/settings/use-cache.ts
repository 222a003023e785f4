import { useCallback } from "react";
import type { Session } from "../../app";
import { type CacheCount, countAnswers } from "../../engine/cache/count";
import { spaceOf } from "../../engine/cache/space";
import { useLoad } from "../ui/loading/use-load";

/** The stored answers of a connection, and the room that all of the add-in's data take. */
export interface CacheFacts extends CacheCount {
  /** In bytes; undefined if the browser does not tell. */
  bytes: number | undefined;
}

/** Counts whenever the screen is shown; undefined until it has counted and without a session, null if it can't count. */
export function useCache(session: Session | null, isShown: boolean): CacheFacts | null | undefined {
  const { baseUrl, key } = session?.credentials ?? {};
  const count = useCallback(async () => {
    if (!isShown || baseUrl === undefined || key === undefined) return undefined;
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
  // Without https there is no `navigator.storage`.
  const storage = navigator.storage as StorageManager | undefined;
  const estimate = await storage?.estimate().catch(() => undefined);
  return estimate?.usage;
}
