import { type ComponentType, createContext, type ReactNode, use, useEffect, useState } from "react";

/** Shown in a view's place until its script has loaded. `ScreenBoundary` sets it. */
export const Waiting = createContext<ReactNode>(null);

/**
 * A view whose script is loaded when it is first drawn, and which appears as soon as the script is there. React's own `lazy` keeps showing
 * a fallback for 300 ms (facebook/react#31819). A failure is thrown to the boundary around the view. When the view is drawn anew, it loads
 * its script again.
 */
export function lazyView<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyView(props: Props) {
    const waiting = use(Waiting);
    const [, draw] = useState(0);
    const [failed, setFailed] = useState<{ thrown: unknown }>();
    const isLoaded = loaded !== undefined;
    useEffect(() => {
      if (isLoaded) return;
      let isCurrent = true;
      load().then(
        (script) => {
          loaded = script.default;
          if (isCurrent) draw((times) => times + 1);
        },
        (thrown: unknown) => isCurrent && setFailed({ thrown }),
      );
      return () => {
        isCurrent = false;
      };
    }, [isLoaded]);
    if (failed) throw failed.thrown;
    const View = loaded;
    return View ? <View {...props} /> : waiting;
  };
}
