import * as z from "zod/mini";

/** A key that calls a function of the add-in. */
interface Shortcut {
  /** As associated with the function. */
  action: string;
  /** Such as "Ctrl+Alt+Shift+D". */
  key: string;
}

const modifiers = ["Ctrl", "Alt", "Shift"];
const form = z.object({
  actions: z.array(
    z.object({
      id: z.string(),
      type: z.literal("ExecuteFunction"),
      name: z.string().check(z.maxLength(128)),
    }),
  ),
  shortcuts: z.array(
    z.object({
      action: z.string(),
      key: z.object({
        default: z.string(),
        mac: z.optional(z.string()),
        web: z.optional(z.string()),
        windows: z.optional(z.string()),
      }),
    }),
  ),
});

/**
 * Reads the file of an ExtendedOverrides element (Microsoft: "Add custom keyboard shortcuts to your Office Add-ins"): on the
 * web, a key of its own goes before the default. Throws where an action is unknown or has two keys, two actions share one, or a key
 * has no modifier or none but Shift.
 */
export function readShortcuts(json: unknown): Shortcut[] {
  const { actions, shortcuts } = form.parse(json);
  const ids = new Set(actions.map(({ id }) => id));
  const keys = new Set<string>();
  const called = new Set<string>();
  return shortcuts.map(({ action, key: { web, default: usual } }) => {
    const key = web ?? usual;
    const parts = key.split("+");
    const [last = "", ...before] = [...parts].reverse();
    if (!ids.has(action)) throw new Error(`shortcuts.json has no action ${action}.`);
    if (!/^(?:[A-Z0-9]|Up|Down|Left|Right)$/.test(last) || before.some((part) => !modifiers.includes(part)))
      throw new Error(`The workbench does not support the key ${key}.`);
    if (!before.includes("Ctrl") && !before.includes("Alt"))
      throw new Error(`The key ${key} has neither Ctrl nor Alt.`);
    if (keys.has(key) || called.has(action))
      throw new Error(`shortcuts.json names ${key} or ${action} twice.`);
    keys.add(key);
    called.add(action);
    return { action, key };
  });
}

/** Calls an action when its key is pressed, before the page sees the key. */
export function listenForShortcuts(shortcuts: readonly Shortcut[], call: (action: string) => void): void {
  document.addEventListener(
    "keydown",
    (event) => {
      const { ctrlKey, altKey, shiftKey, code } = event;
      const held = [ctrlKey && "Ctrl", altKey && "Alt", shiftKey && "Shift"].filter((part) => part !== false);
      // With Alt and Shift, the letter typed is another one on many keyboards.
      const pressed = [...held, code.replace(/^(?:Key|Digit|Arrow)/, "")].join("+");
      const shortcut = shortcuts.find(({ key }) => key === pressed);
      if (!shortcut) return;
      event.preventDefault();
      event.stopPropagation();
      call(shortcut.action);
    },
    { capture: true },
  );
}
