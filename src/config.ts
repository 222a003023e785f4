/** What a maintainer may change, with units and where a figure comes from. */
export const config = {
  /** Of the formulas, as the manifest says. */
  namespace: "REGDATA",
  /** The largest page that the service allows (docs/interface.md, "Limits"). */
  pageSize: 500,
  /** More pages than any list has: the whole country's AHJs at 20 a page are some 1,500. */
  mostPages: 5_000,
  /** Whole GET addresses stay below this many characters: proxies cut longer ones. */
  maxAddressLength: 2_000,
  /** What a base address may take of that, and the longest path with its paging. */
  maxBaseUrlLength: 200,
  maxPathLength: 150,
  /** Ids that fit into an address of that length, at ten digits and a comma each. */
  idsPerAddress: 150,
  /** A workbook that looks for changes when it is opened sends this many requests for answers at most. */
  openingRequests: 20,
  /** A formula that finds jurisdictions sends this many by itself; a larger find is started in the pane. */
  findRequests: 20,
  /** Cells of the first matrix requests. It halves when the service refuses (docs/interface.md, "Left open"). */
  matrixCells: 20_000,
  /** Doubles while the service accepts, up to this: some 25 MB of JSON. */
  mostMatrixCells: 160_000,
  /** An answer that takes longer is no reason to ask for more at once. */
  growWithinMs: 5_000,
  /** How often a matrix is halved after a 502, 504 or timeout, which may have other causes than its size. */
  blindHalvings: 2,
  /** Requests under way at once: what a browser opens to one HTTP/1.1 host. */
  concurrentRequests: 6,
  /** Requests under way at once until an answer tells what is left of the limit. */
  firstRequests: 2,
  /** Of a limit, what is left for others who spend it too, until shortly before it resets. */
  reserveRequests: 2,
  /** When the reserve is set free: what is not used before the reset is lost. */
  reserveReleaseMs: 2_000,
  /** Work waits no longer than this for a limit: an hour's window, not a day's. */
  longestWaitMs: 3_660_000,
  /** The longest window of the interface, a day, and an hour for clocks that differ. A time beyond it is not believed. */
  longestWindowMs: 90_000_000,
  /** A service's clock that differs by more is not believed. */
  mostClockLeadMs: 259_200_000,
  /** Workbooks of one browser take turns of this length. */
  turnMs: 2_000,
  /** After this long, a request first looks whether its key is still kept: another workbook may have forgotten it. */
  keptLookMs: 60_000,
  /** How long such a look may take. */
  keptLookPatienceMs: 2_000,
  /** An answer that takes longer is given up. */
  requestTimeoutMs: 30_000,
  /** Further tries after a network error or a 502, 503 or 504. */
  retries: 3,
  /** First wait before such a try; doubles each time, with jitter. */
  retryDelayMs: 500,
  /** Longest single wait where a 429 does not say how long, and of all waits that 502, 503 and 504 ask for. */
  maxBackoffMs: 60_000,
  /** A cell waits this long for a rate limit, then it says when the limit ends. */
  cellPatienceMs: 60_000,
  /** How long formulas wait at the start for the saved connection. */
  startPatienceMs: 30_000,
  /** Calls of one recalculation arrive within this time of each other. */
  collectMs: 30,
  /** A steady stream of calls is cut into batches after this long. */
  collectAtMostMs: 250,
  /** geoIDs that the directory lacks are asked about one by one up to this number. */
  singleLookups: 20,
  /** Answers older than this are asked again; the user may choose another age. */
  answerAgeMs: 86_400_000,
  /** Directory and catalogue older than this are read again. */
  directoryAgeMs: 86_400_000,
  /** A list's pages are read within this time of each other, as far as the request limit allows. */
  pagesApartMs: 3_600_000,
  /** What the answers may take on disk, in bytes: what the whole country has to all questions takes 50 MB and more. */
  keptBytes: 200_000_000,
  /** Memory that the answers may take, but for those that a running import holds. */
  cachedBytes: 80_000_000,
  /** What those may take beside it. An import that needs more is placed in parts. */
  heldBytes: 150_000_000,
  /** What an answer takes in memory, as long as too few have come to tell: of the sample some 20 bytes, with its texts. */
  expectedAnswerBytes: 64,
  /** Answers that are kept together. */
  answersAPart: 16_384,
  /** Whatever else is kept on disk is removed at this age. */
  documentAgeMs: 30 * 86_400_000,
  /** Excel on the web takes 5 MB a request (Microsoft, "Resource limits and performance optimization"). */
  writeBytes: 2_000_000,
  /** Excel's own limits. */
  sheetRows: 1_048_576,
  sheetColumns: 16_384,
  sheetNameCharacters: 31,
  cellCharacters: 32_767,
  /** Links that a table gets, or an edit of it. With more web addresses all stay texts: each link costs Excel a step of its own. */
  mostLinks: 1_000,
  /** Cells that one formula may give: a whole column. */
  formulaCells: 1_048_576,
  /** Frozen formulas that were moved are looked for in a sheet of no more used cells than these. */
  searchedCells: 200_000,
} as const;
