import {
  DeviceInputEventType,
  IEditorBridgeService,
  SetCellEditVisibleOperation,
} from "@univerjs/preset-sheets-core";
import { filter, firstValueFrom } from "rxjs";
import type { Spreadsheet } from "../spreadsheet";
import type { Book } from "./univer";

/** Plays a user who types into a cell, in the cell itself or in the formula bar. */
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
