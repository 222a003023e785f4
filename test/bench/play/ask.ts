/** One formula's question, put to the engine and to every peer alike. */
export interface Ask {
  geoid: string;
  typeId: number;
}

/** The published text, or null where the service holds none. */
export type Answer = string | null;
