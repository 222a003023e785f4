/** Bounds that no workbook of a user reaches. They are checked while a part is inflated, whatever its header says. */
export interface FileLimits {
  /** The file as it is, in bytes. */
  fileBytes: number;
  /** Entries of the zip. */
  entries: number;
  /** One part when inflated, in bytes. */
  partBytes: number;
  /** All parts that were read, inflated, in bytes. */
  totalBytes: number;
  /** Inflated bytes for each compressed one, in parts of more than a megabyte. */
  ratio: number;
  /** How deep elements may stand in each other. */
  xmlDepth: number;
}

export const defaultLimits: FileLimits = {
  fileBytes: 256 * 2 ** 20,
  entries: 20_000,
  partBytes: 384 * 2 ** 20,
  totalBytes: 768 * 2 ** 20,
  // A sheet of equal cells reaches about 150; deflate's most is 1,032.
  ratio: 400,
  xmlDepth: 256,
};

/** Parts up to this size may have any ratio. */
export const SMALL_PART_BYTES = 2 ** 20;

/** The rows and columns of a sheet of Excel's. */
export const SHEET_ROWS = 1_048_576;
export const SHEET_COLUMNS = 16_384;
