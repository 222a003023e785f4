import type { PicturedAnswer, ShownValue } from "../../src/pictures/pictured-answers";

/** An answer of a county in state 48, numbered by its place among these answers, unless it names its county. */
export function answer(
  shown: PicturedAnswer["shown"] | number | string | boolean,
  ahj: Partial<PicturedAnswer["ahj"]> = {},
  numberFormat = '"$"#,##0',
): PicturedAnswer {
  const { id = 1, geoid = "48001", ...rest } = ahj;
  const isSaid = shown === "no value" || shown === "not known" || typeof shown === "object";
  const value: ShownValue | undefined = isSaid ? undefined : { value: shown, numberFormat };
  return {
    ahj: { id, geoid, name: `County ${id}`, type: "county", state_code: "TX", ...rest },
    shown: value ?? (shown as PicturedAnswer["shown"]),
  };
}

/** One answer for each of the AHJs 1, 2, 3 and so on. */
export function answers(
  values: readonly (number | string | boolean)[],
  numberFormat?: string,
): PicturedAnswer[] {
  return values.map((value, index) => answer(value, { id: index + 1 }, numberFormat));
}

export const fee = { id: 1056, name: "Permit Fee", unit_of_measure: "USD" };
