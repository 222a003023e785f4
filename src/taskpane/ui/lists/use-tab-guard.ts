import { useRef } from "react";

/** Fluent chooses an option as soon as Tab is pressed, even if the user has not looked at the list. This tells the two apart. */
export function useTabGuard() {
  const isLookingDown = useRef(false);
  return {
    /** True if the user has moved through the list since typing the last character. */
    isLookingDown: () => isLookingDown.current,
    noteTyping() {
      isLookingDown.current = false;
    },
    noteKey({ key }: { key: string }) {
      if (/^(Arrow|Page)(Up|Down)$/.test(key)) isLookingDown.current = true;
    },
  };
}
