import {
  DeviceInputEventType,
  IEditorBridgeService,
  SetCellEditVisibleOperation,
} from "@univerjs/preset-sheets-core";
import { filter, firstValueFrom } from "rxjs";
import type { Spreadsheet } from "../spreadsheet";
import type { Book } from "./univer";

/** Opens and closes Univer's cell editor as a user does, and tells when the user stops editing in the cell or the formula bar. */
export function createEditing(book: Book): Pick<Spreadsheet, "edit" | "editingEnds"> {
  const editor = book.injector.get(IEditorBridgeService);
  return {
    edit(isEditing) {
      const eventType = isEditing ? DeviceInputEventType.Dblclick : DeviceInputEventType.PointerDown;
      book.run(SetCellEditVisibleOperation.id, { visible: isEditing, eventType });
    },
    editingEnds() {
      if (!editor.isVisible().visible) return undefined;
      return firstValueFrom(editor.visible$.pipe(filter(({ visible }) => !visible))).then(() => undefined);
    },
  };
}
