import { useEffect, useState } from "react";
import { createLatest } from "./latest";
import type { PaneApp } from "./pane-app";

/**
 * The tab that the pane opens on: Source if the selected cell has an answer of ours, otherwise Get data. The selection is checked again
 * whenever the pane is shown, until the user puts the focus into the pane. The first paint does not wait for this check.
 */
export function useOpeningScreen(app: PaneApp): "data" | "source" {
  const [screen, setScreen] = useState<"data" | "source">("data");
  useEffect(() => {
    let isOver = false;
    const begin = createLatest();
    const stop = () => void (isOver = true);
    async function look() {
      if (isOver) return;
      const isLatest = begin();
      const { showsAnswer } = await import("./cell/facts/shows-answer");
      const isAnswer = await showsAnswer(app);
      if (!isOver && isLatest()) setScreen(isAnswer ? "source" : "data");
    }
    // If Excel can't tell the selected cell, the pane keeps its tab.
    const tryToLook = () => void look().catch(() => undefined);
    const listening = Office.addin
      .onVisibilityModeChanged(({ visibilityMode }) => {
        if (visibilityMode === Office.VisibilityMode.taskpane) tryToLook();
      })
      .catch(() => undefined);
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
