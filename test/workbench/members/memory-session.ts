import { createFunctionBridge } from "../../../workbench/host/custom-functions";
import { newestExcel } from "../../../workbench/host/launch";
import { createDocument } from "../../../workbench/host/office-document";
import { createSession } from "../../../workbench/host/session";
import { createMemorySpreadsheet } from "../../../workbench/memory/memory-spreadsheet";

/** A session of the newest Excel with a blank workbook in memory; `onEvent` hears what the host tells the add-in. */
export function memorySession(onEvent: (event: string, data: unknown) => void = () => {}) {
  const spreadsheet = createMemorySpreadsheet();
  const report = () => {};
  return createSession(
    {
      ...{ appId: "", addinName: "", conversationId: "", hostOrigin: "", paneVisible: true },
      ...newestExcel,
    },
    {
      ...{ spreadsheet, document: createDocument() },
      functions: createFunctionBridge(spreadsheet, [], { ...newestExcel, report }),
      shell: { paneVisible: () => true, showPane() {}, takeFocus() {}, report, undoStackCleared() {} },
    },
    onEvent,
  );
}
