/** The other workbooks of this browser. Each has a runtime of its own, and a key that is forgotten in one must end in all. */
export interface OtherWorkbooks {
  /** Tells the others that a space is forgotten, by its fingerprint and never by its key. */
  tellForgotten(space: string): void;
  /** Calls back when another workbook has forgotten a space. */
  onForgotten(listener: (space: string) => void): void;
}

/** Reaches the workbooks of this browser that show the same add-in, by a BroadcastChannel. Undefined if the browser has none. */
export function createOtherWorkbooks(): OtherWorkbooks | undefined {
  if (!("BroadcastChannel" in globalThis)) return undefined;
  const channel = new BroadcastChannel("regdata.forgotten");
  return {
    tellForgotten: (space) => channel.postMessage(space),
    onForgotten(listener) {
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (typeof data === "string") listener(data);
      };
    },
  };
}
