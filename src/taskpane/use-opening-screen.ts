import { useEffect, useState } from "react";
import type { PaneApp } from "./pane-app";

/**
 * Which tab the pane opens on: Source if the selected cell has an answer of ours, otherwise Get data. It is asked again whenever the
 * pane comes into sight, until somebody has been in it. The first paint does not wait.
 */
export function useOpeningScreen(app: PaneApp): "data" | "source" {
  const [screen, setScreen] = useState<"data" | "source">("data");
  useEffect(() => {
    let isOver = false;
    const stop = () => void (isOver = true);
    async function look() {
      if (isOver) return;
      const { showsAnswer } = await import("./cell/facts/shows-answer");
      const isAnswer = await showsAnswer(app);
      if (!isOver) setScreen(isAnswer ? "source" : "data");
    }
    // Where Excel can't be asked, the pane stays as it is.
    const tryToLook = () => void look().catch(() => undefined);
    const listening = Office.addin.onVisibilityModeChanged(tryToLook).catch(() => undefined);
    document.addEventListener("focusin", stop);
    tryToLook();
    return () => {
      stop();
      document.removeEventListener("focusin", stop);
      void listening.then((stopListening) => stopListening?.());
    };
  }, [app]);
  return screen;
}
