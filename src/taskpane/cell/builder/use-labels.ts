import { useEffect, useState } from "react";
import type { Session } from "../../../app";
import { Failure } from "../../../errors";
import { jurisdictionOf, typeOf } from "../../../engine/lookup/asked-names";
import type { AhjName, TypeName } from "../../../engine/lookup/lookup";
import { ahjLabel } from "../../ui/labels";

type Value = string | number;

/** What is kept of the names of jurisdictions and types in a formula; a value without one stands for itself. */
export function useLabels({ lookup }: Session, jurisdictions: readonly Value[], types: readonly Value[]) {
  const [labels, setLabels] = useState<ReadonlyMap<string, string>>(new Map());
  // As text: the same values in a new list are no reason to look anew.
  const wanted = JSON.stringify([jurisdictions, types]);
  useEffect(() => {
    let isOver = false;
    const [geoids, typeIds] = JSON.parse(wanted) as [Value[], Value[]];
    const isName = <Name>(name: Name | Failure | null): name is Name =>
      name !== null && !(name instanceof Failure);
    const ahjs = geoids.map(jurisdictionOf).filter<AhjName>(isName);
    const asked = typeIds.map(typeOf).filter<TypeName>(isName);
    lookup.ask({ ahjs, types: asked }, { keptOnly: true }).then(
      (found) => {
        if (isOver) return;
        const next = new Map<string, string>();
        ahjs.forEach((name, place) => {
          const ahj = found.ahjs[place];
          if (ahj && !(ahj instanceof Failure)) next.set(`ahj ${name}`, ahjLabel(ahj));
        });
        asked.forEach((name, place) => {
          const type = found.types[place];
          if (type) next.set(`type ${name}`, type.name);
        });
        setLabels(next);
      },
      // Without their names, they are shown as they are written.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [lookup, wanted]);
  const labelled = (value: Value, label: string | undefined) =>
    label === undefined ? String(value) : `${label} (${value})`;
  return {
    ahj: (value: Value) => labelled(value, labels.get(`ahj ${String(jurisdictionOf(value))}`)),
    type: (value: Value) => labelled(value, labels.get(`type ${String(typeOf(value))}`)),
  };
}
