import { createListeners } from "../async/listeners";
import { createSerial } from "../async/serial";
import type { UserStorage } from "./connection";

/** One item of the user's storage, as it was last read or written here. */
export interface KeptItem<Value> {
  /** The value, as the same object until it changes; the value of an empty text before the first read. */
  current(): Value;
  /** Reads the item again, because another workbook may have changed it. Fails if the storage fails. */
  read(): Promise<void>;
  /**
   * Changes the item. Changes run one after the other, and each begins with the value then in the storage. If `by` returns the same object,
   * nothing is written. Fails if the storage fails.
   */
  change(by: (before: Value) => Value): Promise<void>;
  /** Calls back whenever the item has changed. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

/** The written form of an item. */
export interface ItemForm<Value> {
  /** Returns the empty value for an empty text, or one that makes no sense. */
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

  /** Reads and changes run one after the other, so that an earlier text is not taken for a later one. */
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
