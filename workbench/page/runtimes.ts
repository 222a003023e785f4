import type { Manifest } from "../addin/read-manifest";
import type { RuntimeKind } from "../host/launch";
import type { Session } from "../host/session";
import type { AddinFrame } from "./addin-frame";

/**
 * The pages of an add-in that run: one for everything where the manifest has a shared runtime; else the pane, the functions and
 * each call of a command have a page of their own, as in Excel.
 */
export interface Runtimes extends Pick<Session, "fail"> {
  /** Resolves when the pane and the functions have started; rejects with a sentence when one does not. */
  readonly ready: Promise<void>;
  /** The pane is to show this page of the manifest; where the runtime is shared, it shows its own. */
  showPage(page: string): void;
  /** The user sees the pane, or no longer. Without a shared runtime, its page ends with that and begins anew. */
  paneVisibilityChanged(visible: boolean): void;
  focusPane(): void;
  /** Calls a function of the add-in for a button; resolves when the add-in says that it is done. */
  runCommand(controlId: string, functionName: string): Promise<void>;
  /** Calls a function as a key does that stands for it. */
  runAction(action: string): void;
  /** See `Session.cut`; the pages are gone then. */
  cut(after: number): Promise<void>;
  close(): void;
}

type OpenPage = (page: string, runtime: RuntimeKind, where: "pane" | "hidden") => AddinFrame;

export function startRuntimes(
  { pane: firstPage, sharedRuntime, functions, commandsPage }: Manifest,
  open: OpenPage,
): Runtimes {
  const isShared = sharedRuntime !== null;
  const functionsFrame = !isShared && functions ? open(functions.page, "functions", "hidden") : null;
  const commandFrames = new Set<AddinFrame>();
  let panePage = firstPage;
  let pane: AddinFrame | null = open(panePage, isShared ? "shared" : "plain", "pane");

  function openPane(): void {
    pane?.close();
    pane = open(panePage, "plain", "pane");
    // Without its pane an add-in goes on; the frame says what is wrong.
    pane.ready.catch(() => {});
  }
  function close(): void {
    for (const frame of [pane, functionsFrame, ...commandFrames]) frame?.close();
    commandFrames.clear();
  }

  return {
    ready: Promise.all([pane.ready, functionsFrame?.ready]).then(() => undefined),
    showPage(page) {
      if (isShared || page === panePage) return;
      panePage = page;
      if (pane) openPane();
    },
    paneVisibilityChanged(visible) {
      if (isShared) return pane?.session.paneVisibilityChanged(visible);
      if (visible) return openPane();
      pane?.close();
      pane = null;
    },
    focusPane: () => pane?.element.focus(),
    async runCommand(controlId, functionName) {
      if (isShared) return pane?.session.runCommand(controlId, functionName);
      if (commandsPage === null)
        throw new Error(`${controlId} calls ${functionName}, but manifest.xml has no FunctionFile.`);
      const frame = open(commandsPage, "plain", "hidden");
      commandFrames.add(frame);
      try {
        await frame.ready;
        await frame.session.runCommand(controlId, functionName);
      } finally {
        frame.close();
        commandFrames.delete(frame);
      }
    },
    runAction: (action) => pane?.session.runAction(action),
    fail(code, times, target, after) {
      const frame = target === "functions" && functionsFrame ? functionsFrame : pane;
      frame?.session.fail(code, times, target, after);
    },
    async cut(after) {
      await pane?.session.cut(after);
      close();
    },
    close,
  };
}
