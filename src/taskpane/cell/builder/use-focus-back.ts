import { type RefObject, useEffect, useRef } from "react";

/** Returns a ref for a button that starts something: the button gets the focus back when `isOn` turns false again. */
export function useFocusBack(isOn: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasOn = useRef(false);
  useEffect(() => {
    if (wasOn.current && !isOn) button.current?.focus();
    wasOn.current = isOn;
  }, [isOn]);
  return button;
}
