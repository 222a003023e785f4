/** What a maintainer may change, with units and where a figure comes from. */
export const config = {
  /** The interface's largest page ("Limits": 1 to 500). */
  pageSize: 500,
  /** Whole GET addresses stay below this many characters: proxies cut longer ones. */
  maxAddressLength: 2_000,
  /** What a base address may take of that, and the longest path with its paging. */
  maxBaseUrlLength: 200,
  maxPathLength: 150,
  /** Cells a matrix request may ask for at first; halves when the service refuses. The interface names no limit. */
  matrixCells: 20_000,
  /** How often a matrix is halved after a 502, 504 or timeout, which may have other causes than its size. */
  blindHalvings: 2,
  /** Requests under way at once: what a browser opens to one HTTP/1.1 host. */
  concurrentRequests: 6,
  /** An answer that takes longer is given up. */
  requestTimeoutMs: 30_000,
  /** Further tries after a network error or a 502, 503 or 504. */
  retries: 3,
  /** First wait before such a try; doubles each time, with jitter. */
  retryDelayMs: 500,
  /** Longest single wait where a 429 does not say how long. */
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
  /** Excel on the web takes 5 MB a request (Microsoft, "Resource limits and performance optimization"). */
  writeBytes: 2_000_000,
  /** Excel's own limits. */
  sheetRows: 1_048_576,
  sheetColumns: 16_384,
  cellCharacters: 32_767,
} as const;
