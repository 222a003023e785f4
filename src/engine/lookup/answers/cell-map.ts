/** A map by AHJ id and data point type id. */
export interface CellMap<Content> {
  get(ahjId: number, typeId: number): Content | undefined;
  set(ahjId: number, typeId: number, content: Content): void;
}

export function createCellMap<Content>(): CellMap<Content> {
  const byAhj = new Map<number, Map<number, Content>>();
  return {
    get: (ahjId, typeId) => byAhj.get(ahjId)?.get(typeId),
    set(ahjId, typeId, content) {
      let byType = byAhj.get(ahjId);
      if (!byType) byAhj.set(ahjId, (byType = new Map()));
      byType.set(typeId, content);
    },
  };
}
