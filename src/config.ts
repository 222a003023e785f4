/** The figures that a maintainer may change, with their units and sources. */
export const config = {
  /** The namespace of the formulas, as in the manifest. */
  namespace: "REGDATA",
  /** The largest page that the service allows (docs/interface.md, "Limits"). */
  pageSize: 500,
  /** More pages than any list has: the whole country's AHJs at 20 a page are some 1,500. */
  mostPages: 5_000,
  /** Whole GET addresses stay below this many characters: proxies cut longer ones. */
  maxAddressLength: 2_000,
  /** The part of an address that a base address may take, and the longest path with its paging. */
  maxBaseUrlLength: 200,
  maxPathLength: 150,
  /** Ids that fit into an address of that length, at ten digits and a comma each. */
  idsPerAddress: 150,
  /** The most requests for answers that a workbook sends when it looks for changes on opening. */
  openingRequests: 20,
  /** The most requests that a preview sends. */
  previewRequests: 1,
  /** The most requests that a formula that finds jurisdictions sends by itself; a larger find is started in the pane. */
  findRequests: 20,
  /** Cells of the first matrix requests. The number halves when the service refuses (docs/interface.md, "Left open"). */
  matrixCells: 20_000,
  /** Matrix size doubles while the service accepts, up to this: some 25 MB of JSON. */
  mostMatrixCells: 160_000,
  /** If an answer takes longer than this, matrices grow no further. */
  growWithinMs: 5_000,
  /** How often a matrix is halved after a 502, 504 or timeout, which may have other causes than its size. */
  blindHalvings: 2,
  /** Requests under way at once: the number of connections that a browser opens to one HTTP/1.1 host. */
  concurrentRequests: 6,
  /** Requests under way at once until an answer tells what is left of the limit. */
  firstRequests: 2,
  /** Requests of a limit that are left for others who spend it too, until shortly before it resets. */
  reserveRequests: 2,
  /** The reserve is set free this long before the reset, because unused requests are lost. */
  reserveReleaseMs: 2_000,
  /** Work waits no longer than this for a limit: an hour's window, not a day's. */
  longestWaitMs: 3_660_000,
  /** The longest window of the interface, a day, and an hour for clocks that differ. A time beyond it is not believed. */
  longestWindowMs: 90_000_000,
  /** A service's clock that differs by more is not believed. */
  mostClockLeadMs: 259_200_000,
  /** Workbooks of one browser take turns of this length. */
  turnMs: 2_000,
  /**
   * After this long, a request first checks if its key is still kept and the workbook not on hold, because another workbook may have
   * forgotten the key, and a colleague may have put this one on hold.
   */
  keptLookMs: 60_000,
  /** The longest time that such a check may take. */
  keptLookPatienceMs: 2_000,
  /** An answer that takes longer is given up. */
  requestTimeoutMs: 30_000,
  /** Further tries after a network error or a 502, 503 or 504. */
  retries: 3,
  /** After this many requests in a row without an answer, an endpoint is given a pause: formulas are told so without a request. */
  unansweredInARow: 2,
  unansweredPauseMs: 10_000,
  /** Formulas wait no longer than this for what only other formulas need. */
  companyMs: 500,
  /** First wait before such a try; doubles each time, with jitter. */
  retryDelayMs: 500,
  /** The longest single wait if a 429 does not say how long, and the longest total wait that 502, 503 and 504 may ask for. */
  maxBackoffMs: 60_000,
  /** A cell waits this long for a rate limit, then it says when the limit ends. */
  cellPatienceMs: 60_000,
  /** Formulas wait this long at the start for the saved connection, and for Excel's word if the workbook is on hold. */
  startPatienceMs: 30_000,
  /** Calls of one recalculation arrive within this time of each other. */
  collectMs: 30,
  /** A steady stream of calls is cut into batches after this long. */
  collectAtMostMs: 250,
  /** geoIDs that the directory lacks are asked about one by one up to this number. */
  singleLookups: 20,
  /** Answers older than this are asked for again; the user may choose another age. */
  answerAgeMs: 86_400_000,
  /** Directory and catalogue older than this are read again. */
  directoryAgeMs: 86_400_000,
  /** A list's pages are read within this time of each other, as far as the request limit allows. */
  pagesApartMs: 3_600_000,
  /** Bytes that the answers may take on disk. The whole country's answers to all questions take 50 MB and more. */
  keptBytes: 200_000_000,
  /** Bytes of memory that the answers may take, not counting answers that a running import holds. */
  cachedBytes: 80_000_000,
  /** Bytes that held answers may take besides. An import that needs more is placed in parts. */
  heldBytes: 150_000_000,
  /** Bytes that an answer is expected to take in memory until enough have come: in the sample some 20 bytes, with its texts. */
  expectedAnswerBytes: 64,
  /** The number of answers that are stored together. */
  answersAPart: 16_384,
  /** All other documents on disk are removed at this age. */
  documentAgeMs: 30 * 86_400_000,
  /** Excel on the web takes 5 MB a request (Microsoft, "Resource limits and performance optimization"). */
  writeBytes: 2_000_000,
  /** Excel's own limits. */
  sheetRows: 1_048_576,
  sheetColumns: 16_384,
  sheetNameCharacters: 31,
  cellCharacters: 32_767,
  /**
   * The most links in a table or in an edit of it. If there are more web addresses, all stay texts, because each link costs Excel a step of
   * its own.
   */
  mostLinks: 1_000,
  /** The most different jurisdictions that one argument may name: more than the country has. */
  mostJurisdictions: 100_000,
  /** The most conditions of a find: nobody reads more. */
  mostConditions: 50,
  /** The most cells that are looked at to list the answers in a calculation: an auditor reads no more. */
  precedentCells: 500,
  /** The most cells that one formula may give: a whole column. */
  formulaCells: 1_048_576,
} as const;
