import { vi } from "vitest";

/** Excel's error as the functions' runtime knows it. */
class ExcelError extends Error {
  constructor(
    readonly code: string,
    override readonly message: string,
  ) {
    super(message);
  }
}

export function playFormulaRuntime(): void {
  vi.stubGlobal("CustomFunctions", {
    Error: ExcelError,
    ErrorCode: { notAvailable: "#N/A", invalidValue: "#VALUE!" },
  });
}
