import { type ComponentProps, useState } from "react";

/** Content that is there from the first time that it is open. Later it is hidden rather than left out, so that what was typed stays. */
export function OnceOpen({ isOpen, children, ...props }: ComponentProps<"div"> & { isOpen: boolean }) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return (
    <div {...props} hidden={!isOpen}>
      {wasOpen && children}
    </div>
  );
}
