/**
 * The one list of the fourteen endpoints (docs/interface.md, "Endpoints"). The client derives its methods from it,
 * the reference service its routes.
 */
import type * as z from "../../zod";
import { isAhj, type IsAnswerTo, isCollection, isGeoid, isOfAsked, isPage } from "./answer-bounds";
import * as schemas from "./schemas";

export interface Endpoint {
  /** The endpoint's number in docs/interface.md. */
  number: number;
  method: "GET" | "POST";
  /** Path below the base address; `{name}` stands for a path parameter. */
  path: string;
  /** The place for parameters that are not in the path. */
  send: "query" | "body";
  /** Schema of the envelope's `data`, or `csv` for the two exports. */
  answer: z.ZodMiniType | "csv";
  /** How the answer is bound to its request. Missing if nothing in the answer repeats the request. */
  isAnswerTo?: IsAnswerTo;
}

export const endpoints = {
  listAhjs: {
    number: 1,
    method: "GET",
    path: "/v1/ahjs",
    send: "query",
    answer: schemas.page(schemas.ahj),
    isAnswerTo: isPage,
  },
  getAhj: {
    number: 2,
    method: "GET",
    path: "/v1/ahjs/{ahj_id}",
    send: "query",
    answer: schemas.ahjDetail,
    isAnswerTo: isAhj,
  },
  resolveGeoid: {
    number: 3,
    method: "GET",
    path: "/v1/geoid/{geoid}",
    send: "query",
    answer: schemas.ahjDetail,
    isAnswerTo: isGeoid,
  },
  listDataPoints: {
    number: 4,
    method: "GET",
    path: "/v1/data-points",
    send: "query",
    answer: schemas.page(schemas.dataPointValue),
    isAnswerTo: isOfAsked,
  },
  listTypes: {
    number: 5,
    method: "GET",
    path: "/v1/data-points/types",
    send: "query",
    answer: schemas.page(schemas.dataPointType),
    isAnswerTo: isPage,
  },
  listCategories: {
    number: 6,
    method: "GET",
    path: "/v1/categories",
    send: "query",
    answer: schemas.page(schemas.category),
    isAnswerTo: isPage,
  },
  listUnits: {
    number: 7,
    method: "GET",
    path: "/v1/units-of-measure",
    send: "query",
    answer: schemas.unitList,
  },
  matrix: {
    number: 8,
    method: "POST",
    path: "/v1/reports/matrix",
    send: "body",
    answer: schemas.matrixReport,
    isAnswerTo: isOfAsked,
  },
  exportMatrix: { number: 9, method: "POST", path: "/v1/reports/export", send: "body", answer: "csv" },
  listCollections: {
    number: 10,
    method: "GET",
    path: "/v1/collections",
    send: "query",
    answer: schemas.page(schemas.collection),
    isAnswerTo: isPage,
  },
  getCollection: {
    number: 11,
    method: "GET",
    path: "/v1/collections/{collection_id}",
    send: "query",
    answer: schemas.collection,
    isAnswerTo: isCollection,
  },
  runCollection: {
    number: 12,
    method: "GET",
    path: "/v1/collections/{collection_id}/data",
    send: "query",
    answer: schemas.collectionResults,
    isAnswerTo: isOfAsked,
  },
  exportCollection: {
    number: 13,
    method: "POST",
    path: "/v1/collections/{collection_id}/export",
    send: "query",
    answer: "csv",
  },
  runCollectionForGeoid: {
    number: 14,
    method: "GET",
    path: "/v1/geoid/{geoid}/collections/{collection_id}",
    send: "query",
    answer: schemas.collectionResults,
    isAnswerTo: isOfAsked,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

/** Names that the state filter of endpoints 1 and 4 may have. The interface names none (docs/interface.md, "Left open"). */
export const stateFilters = ["state_code", "state", "state_codes", "states"] as const;
export type StateFilter = (typeof stateFilters)[number];
