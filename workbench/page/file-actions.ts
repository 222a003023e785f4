import { WorkbookFileError } from "../../xlsx/workbook-file";
import { leftOutText } from "../files/left-out";
import type { Spreadsheet } from "../spreadsheet";
import { element } from "./element";
import type { SavedXlsx } from "../files/xlsx-files";

interface FileActions {
  /** Rejects with a WorkbookFileError where the file is refused; then the workbook stays. */
  open(bytes: Uint8Array, name: string): Promise<void>;
  save(): SavedXlsx;
}

/** The buttons by which a user opens and saves a file, and the sheet as the place where one is dropped. */
export function offerFiles(
  { open, save }: FileActions,
  spreadsheet: Pick<Spreadsheet, "on">,
  report: (problem: string) => void,
): void {
  const chosen = element("chosen-file") as HTMLInputElement;
  const [refusal, note] = [element("file-refusal"), element("file-note")];
  const say = (said: { refused?: string; noted?: string } = {}) => {
    refusal.textContent = said.refused ?? "";
    note.textContent = said.noted ?? "";
  };
  const fail = (cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof WorkbookFileError) say({ refused: message });
    else if (cause instanceof RangeError)
      say({ refused: `This workbook can't be saved as a file. ${message}` });
    else report(message);
  };
  const openFile = async (file: File | undefined) => {
    say();
    if (!file) return;
    try {
      await open(new Uint8Array(await file.arrayBuffer()), file.name);
    } catch (cause) {
      fail(cause);
    }
  };

  element("open-file").addEventListener("click", () => {
    say();
    chosen.click();
  });
  chosen.addEventListener("change", () => {
    const [file] = chosen.files ?? [];
    void openFile(file);
    // The same file may be chosen again.
    chosen.value = "";
  });
  element("save-file").addEventListener("click", () => {
    say();
    try {
      const { bytes, name, leftOut } = save();
      download(bytes, name);
      if (leftOut.length > 0) say({ noted: `${name} was saved without ${leftOutText(leftOut)}.` });
    } catch (cause) {
      fail(cause);
    }
  });
  spreadsheet.on(({ kind }) => {
    if (kind === "changed" || kind === "selected") say();
  });

  const grid = element("grid");
  const isFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
  const onDrag = (type: "dragover" | "dragleave" | "drop", act: (event: DragEvent) => void) =>
    // Before the grid sees it; beside the grid, the browser would leave the page for the file.
    window.addEventListener(type, (event) => isFile(event) && act(event), { capture: true });
  onDrag("dragover", (event) => {
    event.preventDefault();
    grid.classList.toggle("is-target", grid.contains(event.target as Node));
  });
  onDrag("dragleave", () => grid.classList.remove("is-target"));
  onDrag("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    grid.classList.remove("is-target");
    if (grid.contains(event.target as Node)) void openFile(event.dataTransfer?.files[0]);
  });
}

function download(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
