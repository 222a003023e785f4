import { HostError } from "../../host-error";
import { calculationModes } from "../../office-document";
import type { Family, Property } from "../object-model";

const constant = (value: unknown): Property => ({ get: () => value });

/** `Excel.CalculationType`. */
const calculations: readonly unknown[] = ["Recalculate", "Full", "FullRebuild"];

/** Calculation, and the culture: the workbench plays Excel in English of the United States, on a system that is set so. */
export const applicationFamily: Family<
  "Application" | "CultureInfo" | "NumberFormatInfo" | "DatetimeFormatInfo"
> = {
  Application: (_self, { document, spreadsheet }) => ({
    properties: {
      // The grid calculates by itself in every mode.
      CalculationMode: {
        get: () => document.calculationMode,
        set(wanted) {
          const mode = calculationModes.find((each) => each === wanted);
          if (mode === undefined)
            throw new HostError("InvalidArgument", `calculation mode ${String(wanted)}`);
          document.calculationMode = mode;
        },
      },
      DecimalSeparator: constant("."),
      ThousandsSeparator: constant(","),
      UseSystemSeparators: constant(true),
    },
    links: { CultureInfo: () => ({ type: "CultureInfo" }) },
    calls: {
      Calculate(wanted) {
        if (!calculations.includes(wanted))
          throw new HostError("InvalidArgument", `calculation ${String(wanted)}`);
        // "Recalculate" leaves formulas alone whose cells have not changed (Excel.CalculationType in @types/office-js).
        if (wanted === "Recalculate") return;
        for (const { id } of spreadsheet.sheets()) spreadsheet.recalculate(id);
      },
      // The page is drawn between two requests only, so that nothing is drawn before the next one in any case.
      SuspendScreenUpdatingUntilNextSync() {},
    },
  }),
  CultureInfo: () => ({
    properties: { Name: constant("en-US") },
    links: {
      NumberFormat: () => ({ type: "NumberFormatInfo" }),
      DatetimeFormat: () => ({ type: "DatetimeFormatInfo" }),
    },
  }),
  NumberFormatInfo: () => ({
    properties: { NumberDecimalSeparator: constant("."), NumberGroupSeparator: constant(",") },
  }),
  DatetimeFormatInfo: () => ({
    properties: {
      DateSeparator: constant("/"),
      TimeSeparator: constant(":"),
      LongDatePattern: constant("dddd, MMMM d, yyyy"),
      ShortDatePattern: constant("M/d/yyyy"),
      LongTimePattern: constant("h:mm:ss tt"),
    },
  }),
};
