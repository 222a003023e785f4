import { useEffect, useState } from "react";

/** A control that is at work from `start` to `end`. */
interface Started {
  start(): void;
  end(): void;
}

/** The control, which is made once, and at work while the component is drawn. */
export function useStarted<Control extends Started>(create: () => Control): Control {
  const [control] = useState(create);
  const { start, end } = control;
  useEffect(() => {
    start();
    return end;
  }, [start, end]);
  return control;
}
