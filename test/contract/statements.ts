/**
 * What the interface says, statement by statement and word for word, and who is held to it. A row of a table is one
 * statement. service.test.ts and client.test.ts have a test for each, under the same name.
 */
export type Party = "service" | "client";

export interface Statement {
  quote: string;
  /** Empty when nobody can be held to it: then `why` says so. */
  heldTo: readonly Party[];
  why?: string;
}

const service = (quote: string): Statement => ({ quote, heldTo: ["service"] });
const client = (quote: string): Statement => ({ quote, heldTo: ["client"] });
const both = (quote: string): Statement => ({ quote, heldTo: ["service", "client"] });
const nobody = (quote: string, why: string): Statement => ({ quote, heldTo: [], why });

const silence = "it leaves something open: see the quirks for the readings that are tried";
const definition = "it says what a word means, and asks for nothing";
const summary = "it sums up what the endpoints' own statements say";

/** By section, then by name; a name occurs once. Together they are the whole interface but for its headings. */
export const statements: Record<string, Record<string, Statement>> = {
  "Regulatory Data Lookup Service": {
    "base address": client("Every address below is relative to {base_url}."),
  },
  "What the service does": {
    "core entity": nobody(
      "The core entity is the AHJ (Authority Having Jurisdiction): a government body or utility that writes and enforces building codes, zoning, permitting, licensing or interconnection rules.",
      definition,
    ),
    "30,000 AHJs": service("The service covers more than 30,000 AHJs in the United States."),
    "what a type is": nobody(
      "A data point type is a regulatory question asked consistently across jurisdictions.",
      definition,
    ),
    "what a value is": both(
      "A data point value is the answer to one type for one AHJ, with an optional citation (reference and section).",
    ),
    laddering: nobody(
      "Jurisdictional laddering: rules layer across parent jurisdictions (for example state, county, city, and utility).",
      definition,
    ),
    "effective value": service(
      "The value returned for an AHJ is already the effective, resolved value over the whole chain of parent jurisdictions.",
    ),
    "no merging": client("A client does not query several AHJ levels and merge them."),
    topics: service("Categories classify data point types into regulatory topics."),
    "what a collection is": service(
      "Collections are saved definitions, owned by one organization, made of a set of data point type IDs and category IDs.",
    ),
    execution: service(
      "A collection is executed against a chosen set of AHJs and returns only the data points matching its filters.",
    ),
    "no change of collections": both(
      "Collections are defined in the service's web platform; no operation to create or change a collection is part of this interface.",
    ),
    reports: service(
      "Reports compare AHJs side by side: a matrix with AHJs as rows and data point types as columns, and a CSV export of such a comparison.",
    ),
    "key and organization": service("Access scoping: the API key identifies an organization."),
    subscription: service(
      "The organization's subscription fixes the set of AHJ IDs it may see. Every request is limited to those AHJs.",
    ),
    "lists are limited": service("List endpoints (AHJs, data points) return only entitled AHJs."),
    "one AHJ is checked": service("A request for one AHJ by ID is checked against the subscription."),
    "bulk exclusion": both(
      "A bulk request with several AHJ IDs returns data for the entitled ones and lists the excluded ones in a `warnings` array; the request does not fail for that reason.",
    ),
    "all outside": both(
      "When every requested AHJ is outside the subscription, the response is 403, not an empty success.",
    ),
    "types are global": service(
      "Data point types are global reference data and are not limited by AHJ access.",
    ),
    "curated lists": client(
      "Curated lists of recommended data point type IDs exist for residential solar (53 types) and commercial and industrial solar (46 types).",
    ),
    "curated subset": client("They are a subset of the catalog and do not guarantee a value for every AHJ."),
    "whole catalog": both("The complete current catalog comes from `GET /v1/data-points/types`."),
  },
  "Response envelope": {
    "envelope.response_type": both("| response_type | string | `success` on success, `error` on an error |"),
    "envelope.description": both("| description | string | human-readable summary of the result |"),
    "envelope.data": both("| data | object | payload; shape per endpoint |"),
    "envelope.warnings": both(
      "| warnings | array of warning | present only when some requested AHJs or geoIDs were excluded or unmatched |",
    ),
  },
  "Pagination object": {
    "pagination.page": both("| page | integer, >= 1 |"),
    "pagination.page_size": both("| page_size | integer, 1 to 500 |"),
    "pagination.total": both("| total | integer, total matching items |"),
    "pagination.total_pages": both("| total_pages | integer |"),
    items: both("Paginated lists put their records in `data.items`."),
  },
  "Warning object": {
    "warning.code": both(
      "| code | string | `AHJ_ACCESS_DENIED` for access exclusions; the code used for unresolved geoIDs: not shown |",
    ),
    "warning.message": both(
      "| message | string | human-readable text, for example a count of excluded AHJs |",
    ),
    "warning.excluded_ahj_ids": both(
      "| excluded_ahj_ids | array of integer | requested AHJ IDs outside the subscription |",
    ),
    "warning.unmatched_geoids": both(
      "| unmatched_geoids | array of string | requested geoIDs that did not resolve; empty array when none |",
    ),
  },
  AHJ: {
    "integer ids": service("AHJ IDs are integers (not UUIDs)."),
    "ahj.id": both("| id | integer | yes | yes | |"),
    "ahj.name": both("| name | string | yes | yes | |"),
    "ahj.type": both(
      "| type | string | yes | yes | one of four categories, each a level of the regulatory stack; values seen are `city` and `county`; the complete value list: not shown |",
    ),
    "ahj.state_code": both("| state_code | string | yes | yes | state abbreviation |"),
    "ahj.geoid": both(
      "| geoid | string or null | yes | yes | Census GEOID (FIPS-based); null for AHJs with no mapped geography (such as utilities) |",
    ),
    "ahj.state_name": both("| state_name | string | no | yes | |"),
    "ahj.county": both("| county | string | no | yes | |"),
    "ahj.population": both("| population | integer | no | yes | |"),
    "ahj.lat": both("| lat | number | no | yes | latitude |"),
    "ahj.lon": both("| lon | number | no | yes | longitude |"),
    "geoID is a string": both(
      "A geoID is a case-sensitive string with significant leading zeros; it is always stored and passed as a string, never as an integer.",
    ),
    "geoID lengths": service("Lengths: county 5 characters, Census place 7, township 10."),
    "lowest AHJ": service(
      "A geoID is meant to map to exactly one AHJ. When one geoID maps to several AHJs, the lowest AHJ ID is returned.",
    ),
    "summary AHJ": both(
      "The summary AHJ object embedded in data point values, matrix output and collection results has the fields id, name, type, state_code, geoid.",
    ),
  },
  "Data point type": {
    "type.id": both("| id | integer | |"),
    "type.name": both("| name | string | |"),
    "type.description": both("| description | string | |"),
    "type.unit_of_measure": both(
      "| unit_of_measure | string | unit label; seen: boolean, USD, days, feet; the complete list of unit values: not shown |",
    ),
    "type.category_ids": both("| category_ids | array of integer | categories the type belongs to |"),
  },
  "Data point value": {
    "value.id": both("| id | integer | |"),
    "value.ahj": both("| ahj | summary AHJ | |"),
    "value.data_point_type": both("| data_point_type | data point type | |"),
    "value.value": both("| value | string | effective value, text (may include units or currency symbols) |"),
    "value.reference": both(
      "| reference | string or null | citation source; null when no citation is recorded |",
    ),
    "value.section": both(
      "| section | string or null | citation section; null when no citation is recorded |",
    ),
    "value.updated_at": both("| updated_at | string | ISO 8601 UTC timestamp |"),
  },
  Category: {
    "category.id": both("| id | integer |"),
    "category.name": both("| name | string |"),
  },
  Collection: {
    "collection.id": both("| id | string | UUID |"),
    "collection.organization_id": both("| organization_id | string | UUID of the owning organization |"),
    "collection.name": both("| name | string | |"),
    "collection.description": both("| description | string | |"),
    "collection.data_point_type_ids": both("| data_point_type_ids | array of integer | type filter |"),
    "collection.category_ids": both("| category_ids | array of integer | category filter |"),
    "collection.created_at": both("| created_at | string | ISO 8601 UTC timestamp |"),
    "collection.updated_at": both("| updated_at | string | ISO 8601 UTC timestamp |"),
    "owner only": service("A collection is visible and executable only to the organization that owns it."),
  },
  "Collection results": {
    "results.collection_id": both("| collection_id | string (UUID) |"),
    "results.collection_name": both("| collection_name | string |"),
    "results.items": both("| items | array of data point value |"),
    "results.pagination": both("| pagination | pagination object |"),
  },
  "Matrix report": {
    "matrix.ahjs": both("| ahjs | array of summary AHJ | the AHJs included (entitled ones only) |"),
    "matrix.data_point_types": both("| data_point_types | array of data point type | the columns |"),
    "matrix.rows": both("| rows | array of row | one per AHJ |"),
    row: both(
      "Row: `ahj` (summary AHJ) and `values`, an object whose keys are data point type IDs written as strings.",
    ),
    cell: both(
      "Each key maps to a cell object with `value` (string), `reference` (string or null), `section` (string or null).",
    ),
    "no value": both("The cell is `null` when the AHJ has no value for that type."),
    "no citation": both("Reference and section are null when no citation is recorded."),
  },
  "Units of measure": {
    "units list": both(
      "A list resource of units used by data point values exists at `GET /v1/units-of-measure`.",
    ),
    "units fields": nobody("Its fields: not shown.", silence),
  },
  "States and transitions": {
    "no states": nobody(
      "States and transitions: not shown. The interface defines no lifecycle for any resource.",
      "there is nothing to be held to",
    ),
  },
  Endpoints: {
    "key everywhere": both("All endpoints require the API key header (see Authentication)."),
    "envelope everywhere": service("JSON endpoints answer with the envelope above."),
    "paging parameters": both(
      "`page` and `page_size` are query parameters on every paginated list (ranges under Limits).",
    ),
    listAhjs: both("| 1 | GET | /v1/ahjs | list entitled AHJs |"),
    getAhj: both("| 2 | GET | /v1/ahjs/{ahj_id} | one AHJ in detail |"),
    resolveGeoid: both("| 3 | GET | /v1/geoid/{geoid} | resolve a geoID to an AHJ |"),
    listDataPoints: both("| 4 | GET | /v1/data-points | list data point values |"),
    listTypes: both("| 5 | GET | /v1/data-points/types | list data point types |"),
    listCategories: both("| 6 | GET | /v1/categories | list categories |"),
    listUnits: both("| 7 | GET | /v1/units-of-measure | list units of measure |"),
    matrix: both("| 8 | POST | /v1/reports/matrix | comparison matrix |"),
    exportMatrix: both("| 9 | POST | /v1/reports/export | comparison as CSV |"),
    listCollections: both("| 10 | GET | /v1/collections | list collections |"),
    getCollection: both("| 11 | GET | /v1/collections/{collection_id} | collection definition |"),
    runCollection: both("| 12 | GET | /v1/collections/{collection_id}/data | execute a collection |"),
    exportCollection: both(
      "| 13 | POST | /v1/collections/{collection_id}/export | collection results as CSV |",
    ),
    runCollectionForGeoid: both(
      "| 14 | GET | /v1/geoid/{geoid}/collections/{collection_id} | execute a collection for one geoID |",
    ),
  },
  "1. GET /v1/ahjs": {
    "1 query": both(
      "Query: a filter by state code; the name of that parameter: not shown. `page`, `page_size`.",
    ),
    "1 response": service("Response: `data.items` is an array of AHJ (list fields) and `data.pagination`."),
    "1 scope": service("Only AHJs in the subscription are returned."),
  },
  "2. GET /v1/ahjs/{ahj_id}": {
    "2 path": service("Path: `ahj_id` integer."),
    "2 response": service("Response: `data` is an AHJ with the detail fields."),
    "2 denied": both("When the AHJ is outside the subscription: 403 with `AHJ_ACCESS_DENIED`."),
  },
  "3. GET /v1/geoid/{geoid}": {
    "3 path": both("Path: `geoid` string (leading zeros significant)."),
    "3 response": service("Response: identical to endpoint 2 for the resolved AHJ, including `geoid`."),
    "3 errors": both("Unknown geoID: 404. Resolved AHJ outside the subscription: 403."),
  },
  "4. GET /v1/data-points": {
    "4 query": both(
      "Query (all optional; comma-separated lists): `ahj_ids` (integers), a state-code filter, `data_point_type_ids`, a category-ID filter, `page`, `page_size`.",
    ),
    "4 names": nobody("The names of the state-code and category filter parameters: not shown.", silence),
    "4 response": service("Response: `data.items` array of data point value, `data.pagination`."),
    "4 all": service("Without `ahj_ids`, results cover all entitled AHJs."),
    "4 denied": both(
      "With `ahj_ids`, unauthorized IDs are excluded and a `warnings` entry is returned; when all requested IDs are unauthorized: 403.",
    ),
  },
  "5. GET /v1/data-points/types": {
    "5 query": both("Query: `page`, `page_size`."),
    "5 response": service(
      "Response: `data.items` array of data point type, `data.pagination`. Not limited by AHJ access.",
    ),
  },
  "6. GET /v1/categories": {
    "6 query": both("Query: `page`, `page_size`."),
    "6 response": service("Response: `data.items` array of category, `data.pagination`."),
  },
  "7. GET /v1/units-of-measure": {
    "7 shape": nobody("Request parameters and response shape: not shown.", silence),
  },
  "8. POST /v1/reports/matrix": {
    "8 body": both("Body (JSON): `ahj_ids` array of integer; `data_point_type_ids` array of integer."),
    "8 required": nobody("Which body fields are required: not shown.", silence),
    "8 response": both(
      "Response 200: `data` is the matrix report; `warnings` lists excluded AHJ IDs (`AHJ_ACCESS_DENIED`) when some requested AHJs are outside the subscription.",
    ),
    "8 entitled": service("Only entitled AHJs appear."),
    "8 errors": both(
      "403 when all requested AHJs are outside the subscription; 422 for an invalid body (validation error shape under Errors).",
    ),
  },
  "9. POST /v1/reports/export": {
    "9 body": both("Body: same as endpoint 8."),
    "9 response": both(
      "Response: a CSV file, header `Content-Type: text/csv`, containing the same data as the matrix flattened into rows and columns.",
    ),
    "9 layout": nobody("The exact column layout: not shown.", silence),
    "9 dropped": service(
      "AHJs outside the subscription are silently dropped; there is no warning in the file.",
    ),
  },
  "10. GET /v1/collections": {
    "10 query": both("Query: `page`, `page_size`."),
    "10 response": service(
      "Response: `data.items` array of collection (only the caller's organization), `data.pagination`.",
    ),
  },
  "11. GET /v1/collections/{collection_id}": {
    "11 path": both("Path: `collection_id` string (UUID)."),
    "11 response": service("Response: `data` is a collection."),
    "11 unknown": nobody("The status returned for an unknown or foreign collection ID: not shown.", silence),
  },
  "12. GET /v1/collections/{collection_id}/data": {
    "12 query": both(
      "Query: `ahj_ids` (comma-separated integers) or `geoids` (comma-separated strings); exactly one of the two is to be provided. Also `page`, `page_size`.",
    ),
    "12 both": nobody("Behaviour when neither or both are supplied: not shown.", silence),
    "12 response": both(
      "Response: `data` is collection results; `warnings` is present when some AHJs were excluded for access and/or some geoIDs did not resolve (they appear in `unmatched_geoids`); the status stays 200 in those cases.",
    ),
    "12 denied": both("When all requested AHJs are outside the subscription: 403."),
    "12 unresolved": nobody("Result when every supplied geoID fails to resolve: not shown.", silence),
    "12 filters": service(
      "The collection's data point type and category filters select which data points are returned.",
    ),
    "12 combination": nobody("How the two filters combine: not shown.", silence),
  },
  "13. POST /v1/collections/{collection_id}/export": {
    "13 request": both(
      "Path: `collection_id`. No request body. Query: `ahj_ids` or `geoids` (exactly one), same forms as endpoint 12.",
    ),
    "13 response": both(
      "Response: CSV file with `Content-Type: text/csv`; `Content-Disposition` carries a filename derived from the collection name.",
    ),
    "13 rows": service("One row per AHJ, one column per data point type in the collection."),
    "13 header": service(
      "The header row starts with an AHJ-name column and a state column, followed by one column per data point type named by the type name.",
    ),
    "13 dropped": service(
      "Inaccessible AHJs are silently dropped; unresolved geoIDs are silently skipped; no warnings are returned.",
    ),
    "13 errors": both("When every supplied geoID fails to resolve: 422. Access denial: 403."),
  },
  "14. GET /v1/geoid/{geoid}/collections/{collection_id}": {
    "14 request": both("Path: `geoid` (string), `collection_id`. Query: `page`, `page_size` (1 to 500)."),
    "14 response": both("Response: same shape as endpoint 12, limited to the one resolved AHJ."),
    "14 errors": both("Unknown geoID: 404. Resolved AHJ outside the subscription: 403."),
    "14 csv": nobody(
      "A CSV export for a single geoID exists under the `/v1/geoid/` namespace; its path: not shown.",
      "without its path neither can offer nor use it",
    ),
  },
  Authentication: {
    "key header": both("| Mechanism | API key sent in the request header `X-API-Key` with value <API_KEY> |"),
    "key scope": service(
      "| Scope | The key identifies one organization; the organization's subscription determines the entitled AHJ IDs and the visible collections |",
    ),
    "key applies": both("| Applies to | every endpoint listed above |"),
    "wrong key": nobody(
      "How keys are issued or rotated, and the response to a missing or invalid key: not shown.",
      silence,
    ),
  },
  Events: {
    "no events": nobody(
      "Events: not shown. No webhooks, notifications or event kinds are defined.",
      "there is nothing to be held to",
    ),
  },
  Errors: {
    "error.response_type": service("| response_type | string | `error` |"),
    "error.description": both("| description | string | human-readable text |"),
    "error.error": both("| error | string | machine code |"),
    "error.status_code": service("| status_code | integer | HTTP status |"),
    validation: both(
      "`detail` is an array of objects, each with `loc` (array of string), `msg` (string), `type` (string).",
    ),
    "403": both(
      "| 403 | AHJ_ACCESS_DENIED | a requested single AHJ is outside the subscription; or all requested AHJs in a bulk request are outside it; or a geoID resolves to an AHJ outside it |",
    ),
    "404": both("| 404 | | unknown geoID on the geoID endpoints |"),
    "422": both(
      "| 422 | | invalid request parameters or body; CSV collection export where no supplied geoID resolves |",
    ),
    "429": both("| 429 | | a rate limit is exceeded (see Limits) |"),
    "partial exclusion": both(
      "Partial exclusion (some AHJs denied, some allowed) is not an error: 200 with a `warnings` entry.",
    ),
    "other codes": nobody(
      "Error code values other than `AHJ_ACCESS_DENIED`: not shown. The body of a 429 response: not shown.",
      silence,
    ),
  },
  Limits: {
    "page range": both("| page | integer, minimum 1 |"),
    "page_size range": both("| page_size | integer, 1 to 500 |"),
    windows: service("| Rate limit windows | per minute, per hour, per day |"),
    "rate headers": both(
      "Every response carries rate limit headers. Named headers: `X-RateLimit-Remaining` (requests left), `X-RateLimit-Reset` (Unix timestamp when the limit resets), and on a 429 `Retry-After` (seconds).",
    ),
    waiting: client("On a 429 a client waits until the reset time before retrying."),
    "limit values": nobody("Numeric rate limit values per window: not shown.", silence),
    "paging defaults": nobody("Default values of `page` and `page_size`: not shown.", silence),
    "further headers": nobody("Names of rate limit headers beyond those listed: not shown.", silence),
  },
  Versioning: {
    prefix: both("The version is part of the path prefix: `/v1/`."),
    release: nobody(
      "The current release is 1.0.0, the initial public release, dated 2026-03-12. It contains the fourteen endpoints above plus `GET /v1/ahjs` filtering by state code, and the features: API key header authentication, access scoping by subscription, partial-access warnings, pagination on all list endpoints (up to 500 per page), rate limiting with per-minute, per-hour and per-day windows, and CSV export for reports and collections.",
      summary,
    ),
    policy: nobody("Deprecation and compatibility policy: not shown.", silence),
  },
};
