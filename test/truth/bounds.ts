type Bounds = Record<"cachedBytes" | "answersAPart", number>;

const usual: Bounds = { cachedBytes: 80_000_000, answersAPart: 16_384 };
/** Some 20 answers: what was fetched goes all the time, and is fetched again. */
const small: Bounds = { cachedBytes: 3_000, answersAPart: 16 };

/** What memory may hold in the case that is played. */
export const bounds: Bounds = { ...usual };

export function setBounds(areSmall: boolean): void {
  Object.assign(bounds, areSmall ? small : usual);
}
