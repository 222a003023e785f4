import { Button, type ButtonProps } from "@fluentui/react-components";
import { type Ref, useState } from "react";

/**
 * A button that is there while it can do something. With the focus it stays, without effect, until the focus leaves it: if it disappeared,
 * Tab would leave the pane.
 */
export function PassingButton({
  isPossible,
  ...button
}: ButtonProps & { isPossible: boolean; ref?: Ref<HTMLButtonElement> }) {
  const [hasFocus, setHasFocus] = useState(false);
  if (!isPossible && !hasFocus) return null;
  return (
    <Button
      {...button}
      disabledFocusable={!isPossible}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    />
  );
}
