/** The action types by which office.js sends a property that is set, and a call (`ActionType`). */
const [SETTING, CALLING] = [4, 3];

interface Body {
  Actions: { ActionType: number }[];
}

/** True if a request sets a property. */
export function setsSomething(body: string): boolean {
  const { Actions } = JSON.parse(body) as Body;
  return Actions.some(({ ActionType }) => ActionType === SETTING);
}

/** Cuts a request off in the middle of its steps that set a property, or of its calls if it sets none. */
export function halfOf(body: string): string {
  const whole = JSON.parse(body) as Body;
  const placesOf = (type: number) =>
    whole.Actions.flatMap(({ ActionType }, index) => (ActionType === type ? [index] : []));
  const [changes = []] = [placesOf(SETTING), placesOf(CALLING)].filter((places) => places.length > 0);
  const Actions = whole.Actions.slice(0, changes[Math.floor(changes.length / 2)] ?? 0);
  return JSON.stringify({ ...whole, Actions });
}
