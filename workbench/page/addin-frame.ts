import { frameName, launchUrl } from "../host/launch";
import type { Launch } from "../host/launch";
import { createSession } from "../host/session";
import type { Session, SessionWorkbook } from "../host/session";
import { converse } from "../host/office-messages";
import { addUndoGroups } from "../host/objects/undo";
import { tellMissingFiles } from "./outside-files";

const START_TIMEOUT_MS = 60_000;

/** The sandbox permissions that Excel on the web gives an add-in's page. */
const SANDBOX = [
  ...["allow-scripts", "allow-same-origin", "allow-forms", "allow-modals", "allow-downloads"],
  ...["allow-popups", "allow-popups-to-escape-sandbox"],
].join(" ");

/** With what office.js turns to its host first. */
const FIRST_QUESTION = "ContextActivationManager_getAppContextAsync";

interface OfficeWindow {
  /** Not in a page that has custom-functions-runtime.js alone. */
  Excel?: Parameters<typeof addUndoGroups>[0];
}

export interface AddinFrame {
  readonly element: HTMLIFrameElement;
  readonly session: Session;
  /** Rejects with a sentence when the add-in does not start in time. */
  readonly ready: Promise<void>;
  close(): void;
}

/** Loads the add-in's page in a new frame inside `container` and answers its office.js. */
export function openAddin(
  container: HTMLElement,
  page: URL,
  launch: Launch,
  workbook: SessionWorkbook,
): AddinFrame {
  const frame = document.createElement("iframe");
  frame.title = launch.addinName;
  // office.js reads the name, which a browser takes over only when the frame is inserted.
  frame.name = frameName(launch);
  frame.setAttribute("sandbox", SANDBOX);
  frame.src = launchUrl(page, launch);
  container.append(frame);
  void tellMissingFiles(page, workbook.shell.report);

  const session: Session = createSession(launch, workbook, (event, data) => conversation.raise(event, data));
  const address = { origin: page.origin, conversationId: launch.conversationId };
  const conversation = converse(frame.contentWindow!, address, {
    ...session,
    invoke(action, data) {
      // Now Excel's API is there, and nothing of the add-in has run with it.
      const { Excel } = frame.contentWindow as unknown as OfficeWindow;
      if (action === FIRST_QUESTION && Excel) addUndoGroups(Excel);
      return session.invoke(action, data);
    },
  });

  let timer = 0;
  const timeout = new Promise<never>((_resolve, reject) => {
    const problem = new Error(
      `The add-in did not start within ${START_TIMEOUT_MS / 1000} s: office.js of ${page.pathname} does not say that it is ready.`,
    );
    timer = window.setTimeout(() => reject(problem), START_TIMEOUT_MS);
  });
  return {
    element: frame,
    session,
    ready: Promise.race([session.started, timeout]),
    close() {
      clearTimeout(timer);
      session.close();
      conversation.close();
      frame.remove();
    },
  };
}
