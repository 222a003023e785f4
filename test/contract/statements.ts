/**
 * Who has to do what each statement of docs/interface.md says. The words of a statement stand there alone: here a
 * table row goes by its first cell, and a bullet by two or more words that no other bullet under its heading has.
 * service.test.ts and client.test.ts have a test for each party that is held to a statement, by the same words.
 */
export type Party = "service" | "client";

/** The parties that a statement binds, or the reason why it binds none. */
export type Held = readonly Party[] | { nobodyBecause: string };

const service: Held = ["service"];
const client: Held = ["client"];
const both: Held = ["service", "client"];
const meaning: Held = { nobodyBecause: "It explains a word and asks for nothing." };

const each = (held: Held, ...rows: string[]) => Object.fromEntries(rows.map((row) => [row, held]));

/** Statements under this heading bind nobody: any behavior is right. */
export const leftOpen = "Left open";

export const statements: Record<string, Record<string, Held>> = {
  Terms: {
    "An AHJ (authority having jurisdiction)": meaning,
    "over 30,000 AHJs": service,
    "asks all AHJs the same question": meaning,
    "answers one type for one AHJ": both,
    "can all bind the same place": meaning,
    "the one in force for its AHJ": service,
    "combines no levels of government": client,
    "Each type belongs to categories": service,
    "that one organization has saved": service,
    "only values that the collection selects": service,
    "can only read, run and export them": both,
    "with one row for each AHJ": service,
    "All organizations see all types": service,
    "the list of endpoint 5": both,
    "53 types for residential solar and 46 for commercial solar": client,
    "The recommended types are in the catalog": client,
  },
  Access: {
    "stands for one organization": service,
    "No request reaches an AHJ": service,
    "has AHJs of the subscription only": service,
    "before it describes a single AHJ": service,
    "a warning lists the rest": both,
    "fails with 403 instead of an empty answer": both,
  },
  Authentication: {
    "in the header `X-API-Key`": both,
    "Each endpoint demands a valid key": both,
    "which AHJs and which collections exist": service,
  },
  Envelope: {
    ...each(both, "response_type", "description", "data", "warnings"),
    "Each JSON answer": service,
  },
  Pagination: {
    ...each(both, "page", "page_size", "total", "total_pages"),
    "into `data.items`": both,
    "All paged lists accept": both,
  },
  Warnings: each(both, "code", "message", "excluded_ahj_ids", "unmatched_geoids"),
  AHJ: {
    ...each(both, "id", "name", "type", "state_code", "geoid"),
    ...each(both, "state_name", "county", "population", "lat", "lon"),
    "a whole number, never a UUID": service,
    "form the AHJ summary": both,
  },
  GeoID: {
    "A geoID is text": both,
    "5 characters for a county, 7 for a Census place and 10 for a township": service,
    "the service picks the lowest id": service,
  },
  "Data point type": each(both, "id", "name", "description", "unit_of_measure", "category_ids"),
  "Data point value": each(
    both,
    ...["id", "ahj", "data_point_type", "value", "reference", "section", "updated_at"],
  ),
  Category: each(both, "id", "name"),
  Collection: {
    ...each(both, "id", "organization_id", "name", "description", "data_point_type_ids", "category_ids"),
    ...each(both, "created_at", "updated_at"),
    "Only keys of the owner": service,
  },
  "Collection results": each(both, "collection_id", "collection_name", "items", "pagination"),
  "Matrix report": {
    ...each(both, "ahjs", "data_point_types", "rows"),
    "under the id of each type": both,
    "A cell has a string in `value`": both,
    "The word `null` in place of a cell": both,
    "null in both citation fields": both,
  },
  Errors: {
    "its status is 200": both,
  },
  "Error body": {
    ...each(service, "response_type", "status_code"),
    ...each(both, "description", "error"),
  },
  "Validation error": {
    "A 422 lists faults in `detail`": both,
  },
  Statuses: each(both, "403", "404", "422", "429"),
  Limits: {
    "`page` is 1 or more": both,
    "`page_size` is 1 to 500": both,
    "one minute, one hour and one day": service,
    "the headers `X-RateLimit-Remaining`": both,
    "only after the reset": client,
  },
  Endpoints: {
    "follows the base address": client,
    "starts with the version": both,
  },
  "1. List AHJs": {
    "`GET /v1/ahjs`": both,
    "a filter by state": both,
    "Each item is an AHJ summary": service,
    "No AHJ outside the subscription": service,
  },
  "2. Get an AHJ": {
    "`GET /v1/ahjs/{ahj_id}`": both,
    "must be a whole number": service,
    "every field of the AHJ": service,
    "gives 403": both,
  },
  "3. Resolve a geoID": {
    "`GET /v1/geoid/{geoid}`": both,
    "keeps all zeros": both,
    "equals that of endpoint 2": service,
    "gives 404, and one whose AHJ is outside the subscription gives 403": both,
  },
  "4. List values": {
    "`GET /v1/data-points`": both,
    "Four optional filters": both,
    "Each item is a data point value": service,
    "Values of the whole subscription": service,
    "if all of them are outside, the status is 403": both,
  },
  "5. List types": {
    "`GET /v1/data-points/types`": both,
    "takes `page` and `page_size`": both,
    "every subscription includes all types": service,
  },
  "6. List categories": {
    "`GET /v1/categories`": both,
    "takes `page` and `page_size`": both,
    "Each item is a category": service,
  },
  "7. List units": {
    "`GET /v1/units-of-measure`": both,
    "every unit that a type uses": both,
  },
  "8. Compare AHJs": {
    "`POST /v1/reports/matrix`": both,
    "two arrays of integers": both,
    "a warning lists the AHJs": both,
    "shows AHJs of the subscription only": service,
    "403 if all AHJs are outside the subscription, and 422": both,
  },
  "9. Export a comparison": {
    "`POST /v1/reports/export`": both,
    "that of endpoint 8": both,
    "has the values of the matrix": both,
    "leaves out AHJs": service,
  },
  "10. List collections": {
    "`GET /v1/collections`": both,
    "takes `page` and `page_size`": both,
    "of the caller's organization": service,
  },
  "11. Get a collection": {
    "`GET /v1/collections/{collection_id}`": both,
    "is the UUID": both,
    "`data` is the collection": service,
  },
  "12. Run a collection": {
    "`GET /v1/collections/{collection_id}/data`": both,
    "in `ahj_ids` or in `geoids`": both,
    "warnings for AHJs outside the subscription and unknown geoIDs": both,
    "The status is 403": both,
    "decide which values come": service,
  },
  "13. Export a collection": {
    "`POST /v1/collections/{collection_id}/export`": both,
    "that of endpoint 12 without pages": both,
    "`Content-Disposition` suggests a file name": both,
    "a row for each AHJ and a column for each type": service,
    "The first columns": service,
    "leaves out AHJs": service,
    "422 if no geoID has an AHJ, and 403": both,
  },
  "14. Run a collection for a geoID": {
    "`GET /v1/geoid/{geoid}/collections/{collection_id}`": both,
    "takes `page` and `page_size`": both,
    "that of endpoint 12 for this AHJ alone": both,
    "gives 404, and one whose AHJ is outside the subscription gives 403": both,
  },
};
