import { type RefObject, useEffect, useRef } from "react";

/** For the button that begins something: it has the focus again when that is over. */
export function useFocusBack(isOn: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasOn = useRef(false);
  useEffect(() => {
    if (wasOn.current && !isOn) button.current?.focus();
    wasOn.current = isOn;
  }, [isOn]);
  return button;
}
