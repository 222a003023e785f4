import { jurisdictionsOf, typeOf } from "../../../engine/lookup/asked-names";
import type { AhjName, Lookup, TypeName } from "../../../engine/lookup/lookup";
import { Failure } from "../../../errors";
import { constantsIn } from "../../../workbook/formula-text/argument-constants";
import { ahjLabel, shownName } from "../../ui/labels";
import type { FormulaDraft } from "./formula-draft";

type Constant = string | number;

/** Labels of an argument's constants, as far as they are known without a request. */
export type ArgumentLabels = ReadonlyMap<Constant, string>;

export interface DraftLabels {
  geoid: ArgumentLabels;
  question_id: ArgumentLabels;
}

/** Looks up the names of a formula's jurisdictions and questions in the stored data, without a request. */
export async function readLabels({ args }: FormulaDraft, lookup: Pick<Lookup, "ask">): Promise<DraftLabels> {
  const [geoids, questionIds] = [constantsIn(args.geoid) ?? [], constantsIn(args.question_id) ?? []];
  const ahjs = named(geoids, await jurisdictionsOf(geoids));
  const types = named(questionIds, questionIds.map(typeOf));
  const wants = { ahjs: ahjs.map(({ name }) => name), types: types.map(({ name }) => name) };
  const found = await lookup.ask(wants, { keptOnly: true });
  return {
    geoid: labelsOf<AhjName>(ahjs, (place) => {
      const ahj = found.ahjs[place];
      return ahj && !(ahj instanceof Failure) ? ahjLabel(ahj) : undefined;
    }),
    question_id: labelsOf<TypeName>(types, (place) => {
      const type = found.types[place];
      return type ? shownName(type.name) : undefined;
    }),
  };
}

/** The constants that name something, with what they name. */
function named<Name>(
  values: readonly Constant[],
  names: readonly (Name | Failure | null)[],
): { value: Constant; name: Name }[] {
  return values.flatMap((value, at) => {
    const name = names[at] ?? null;
    return name === null || name instanceof Failure ? [] : [{ value, name }];
  });
}

function labelsOf<Name>(
  constants: readonly { value: Constant; name: Name }[],
  labelAt: (place: number) => string | undefined,
): ArgumentLabels {
  return new Map(
    constants.flatMap(({ value }, place) => {
      const label = labelAt(place);
      return label === undefined ? [] : [[value, `${label} (${value})`] as const];
    }),
  );
}
