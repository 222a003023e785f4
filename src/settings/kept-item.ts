import { createListeners } from "../async/listeners";
import { createSerial } from "../async/serial";
import type { UserStorage } from "./connection";

/** One item of the user's storage, as it was last read or written here. */
export interface KeptItem<Value> {
  /** The same object until it changes; what stands for nothing, before it is first read. */
  current(): Value;
  /** Reads it anew: another workbook may have changed it. Fails where the storage does. */
  read(): Promise<void>;
  /**
   * Changes it, one change after the other: each begins with what the storage holds by then. One that gives the same
   * object writes nothing. Fails where the storage does.
   */
  change(by: (before: Value) => Value): Promise<void>;
  /** Calls back whenever it has changed; returns how to stop. */
  onChange(listener: () => void): () => void;
}

/** How an item is written down. */
export interface ItemForm<Value> {
  /** What stands for nothing, where the text is empty or makes no sense. */
  parse(text: string): Value;
  text(value: Value): string;
}

export function createKeptItem<Value>(
  storage: UserStorage,
  key: string,
  form: ItemForm<Value>,
): KeptItem<Value> {
  const listeners = createListeners();
  let current = form.parse("");
  let currentText = "";

  function take(text: string) {
    if (text === currentText) return;
    currentText = text;
    current = form.parse(text);
    listeners.tell();
  }

  /** One after the other, so that no earlier text is taken for a later one. */
  const inTurn = createSerial();
  const readNow = async () => take((await storage.getItem(key)) ?? "");

  return {
    current: () => current,
    read: () => inTurn(readNow),
    change: (by) =>
      inTurn(async () => {
        await readNow();
        const next = by(current);
        if (next === current) return;
        const text = form.text(next);
        await storage.setItem(key, text);
        take(text);
      }),
    onChange: listeners.add,
  };
}
