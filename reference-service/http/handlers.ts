/** One handler for each endpoint (docs/interface.md, "Endpoints"). */
import type { EndpointName } from "../../src/engine/api/endpoints";
import type { CollectionResults, MatrixCell, MatrixReport, Warning } from "../../src/engine/api/schemas";
import { grantGeoid, grantGeoids, grantIds, grantOne, type Granted } from "./access";
import { categories, types, typesById, units, type CatalogueType } from "../answers/sample-catalogue";
import { csvAnswer } from "./csv";
import { createCellReader, pageOfDataPoints } from "../answers/data-points";
import type { Rules } from "../answers/month-of-changes";
import type { Dataset } from "../dataset";
import {
  counted,
  pageOf,
  refuse,
  refuseInvalid,
  success,
  type Answer,
  type JsonAnswer,
  type PageRequest,
} from "./envelope";
import { detailOf, type AhjRecord } from "../geography/geography";
import type { Organization, SavedCollection } from "../geography/organizations";
import {
  ahjListQuery,
  ahjPath,
  collectionDataQuery,
  collectionExportQuery,
  dataPointQuery,
  matrixBody,
  pageQuery,
  readBody,
  readPath,
  readQuery,
} from "./parameters";
import { typeMask, typeMaskOf, typesOf } from "../answers/type-mask";

/** A request from a known organization. */
export interface Asked {
  endpoint: EndpointName;
  organization: Organization;
  /** A parameter in the endpoint's path. */
  path(name: string): string;
  query: URLSearchParams;
  /** The body's text; 400 if the caller breaks it off. */
  body(): Promise<string>;
}

/** Answers a request, or throws a refusal: see `answerOrRefusal`. */
type Handler = (asked: Asked) => Answer | Promise<Answer>;

/** A collection of the caller's organization. Unknown and foreign ids get the same 404. */
function savedCollection({ organization, path }: Asked): SavedCollection {
  const id = path("collection_id").toLowerCase();
  const saved = organization.collections.find(({ definition }) => definition.id === id);
  return saved ?? refuse("COLLECTION_NOT_FOUND", "Your organization has no collection with this id.");
}

/** The lists that a matrix consists of. */
type MatrixList = "ahjs" | "data_point_types" | "rows";

const summary = ({ ahj }: AhjRecord) => ahj;

export function createHandlers({ geography, ladder }: Dataset, rules: Rules): Record<EndpointName, Handler> {
  function selected({ organization }: Asked, { ahj_ids, geoids }: { ahj_ids?: number[]; geoids?: string[] }) {
    return ahj_ids === undefined
      ? grantGeoids(organization, geography, geoids ?? [])
      : grantIds(organization, geography, ahj_ids);
  }

  function collectionResults(
    saved: SavedCollection,
    { records, warnings }: Granted,
    asked: PageRequest,
  ): JsonAnswer {
    const { definition } = saved;
    const page = pageOfDataPoints({ ladder, rules }, records, saved.types, asked);
    const results: CollectionResults = {
      collection_id: definition.id,
      collection_name: definition.name,
      ...page,
    };
    return success(`${counted(page.pagination.total, "data point")} of the collection.`, results, warnings);
  }

  /**
   * The AHJs and types of a report, both by ascending id. A type id that is not in the catalogue has no column:
   * docs/interface.md, "Left open", allows that, and `data_point_types` shows the caller which columns there are.
   */
  async function report(
    asked: Asked,
  ): Promise<{ records: readonly AhjRecord[]; columns: CatalogueType[]; warnings: Warning[] }> {
    const body = readBody(matrixBody, await asked.body());
    const granted = grantIds(asked.organization, geography, body.ahj_ids);
    return {
      ...granted,
      columns: typesOf(typeMask(body.data_point_type_ids.flatMap((id) => typesById.get(id) ?? []))),
    };
  }

  return {
    listAhjs(asked) {
      const { state_code, ...page } = readQuery(ahjListQuery, asked.query);
      const { entitled } = asked.organization;
      const listed = state_code
        ? entitled.filter(({ ahj }) => state_code.includes(ahj.state_code))
        : entitled;
      const { items, pagination } = pageOf(listed, page);
      const whose =
        state_code === undefined ? "in your subscription" : "of your subscription in the states asked for";
      return success(`${counted(listed.length, "AHJ")} ${whose}.`, { items: items.map(summary), pagination });
    },

    getAhj({ organization, path }) {
      const { ahj_id } = readPath(ahjPath, { ahj_id: path("ahj_id") });
      const detail = detailOf(grantOne(organization, geography.byId.get(ahj_id)));
      return success(`${detail.name}, ${detail.state_code}.`, detail);
    },

    resolveGeoid({ organization, path }) {
      const detail = detailOf(grantGeoid(organization, geography, path("geoid")));
      return success(`${detail.name}, ${detail.state_code}.`, detail);
    },

    /** A data point is listed if it passes every given filter; an unknown id matches nothing. */
    listDataPoints(asked) {
      const { organization } = asked;
      const { ahj_ids, state_code, data_point_type_ids, category_ids, ...page } = readQuery(
        dataPointQuery,
        asked.query,
      );
      const granted: Granted =
        ahj_ids === undefined
          ? { records: organization.entitled, warnings: [] }
          : grantIds(organization, geography, ahj_ids);
      const records = state_code
        ? granted.records.filter(({ ahj }) => state_code.includes(ahj.state_code))
        : granted.records;
      const mask = typeMaskOf(
        ({ type }) =>
          (data_point_type_ids?.includes(type.id) ?? true) &&
          (category_ids === undefined || type.category_ids.some((id) => category_ids.includes(id))),
      );
      const listed = pageOfDataPoints({ ladder, rules }, records, mask, page);
      return success(`${counted(listed.pagination.total, "data point")}.`, listed, granted.warnings);
    },

    listTypes(asked) {
      const listed = pageOf(types, readQuery(pageQuery, asked.query));
      return success(`${counted(types.length, "data point type")}.`, {
        ...listed,
        items: listed.items.map(({ type }) => type),
      });
    },

    listCategories(asked) {
      return success(
        `${counted(categories.length, "category", "categories")}.`,
        pageOf(categories, readQuery(pageQuery, asked.query)),
      );
    },

    /** Units are paged like every list, with id and name: parameters and fields are our choice (docs/interface.md, "Left open"). */
    listUnits(asked) {
      return success(
        `${counted(units.length, "unit of measure", "units of measure")}.`,
        pageOf(units, readQuery(pageQuery, asked.query)),
      );
    },

    async matrix(asked) {
      const { records, columns, warnings } = await report(asked);
      const cellOf = createCellReader(ladder, rules);
      function* rows(): Generator<MatrixReport["rows"][number]> {
        for (const record of records) {
          const values: Record<string, MatrixCell | null> = {};
          for (const entry of columns) values[entry.type.id] = cellOf(record, entry);
          yield { ahj: record.ahj, values };
        }
      }
      const size = `${counted(records.length, "AHJ")} by ${counted(columns.length, "data point type")}`;
      const matrix: { [List in MatrixList]: Iterable<MatrixReport[List][number]> } = {
        ahjs: records.map(summary),
        data_point_types: columns.map(({ type }) => type),
        rows: rows(),
      };
      return success(`${size}.`, matrix, warnings);
    },

    /** The matrix as CSV: a row for each AHJ, and for each type the columns value, reference and section. */
    async exportMatrix(asked) {
      const { records, columns } = await report(asked);
      const cellOf = createCellReader(ladder, rules);
      function* rows() {
        for (const record of records) {
          const { id, name, type, state_code, geoid } = record.ahj;
          const cells = columns.flatMap((entry) => {
            const cell = cellOf(record, entry);
            return [cell?.value ?? null, cell?.reference ?? null, cell?.section ?? null];
          });
          yield [id, name, type, state_code, geoid, ...cells];
        }
      }
      const typeColumns = columns.flatMap(({ type: { name } }) => [
        name,
        `${name} - reference`,
        `${name} - section`,
      ]);
      return csvAnswer(
        "Comparison matrix",
        ["AHJ ID", "AHJ", "Type", "State", "geoID", ...typeColumns],
        rows(),
      );
    },

    listCollections(asked) {
      const { collections } = asked.organization;
      return success(
        `${counted(collections.length, "collection")} of your organization.`,
        pageOf(
          collections.map(({ definition }) => definition),
          readQuery(pageQuery, asked.query),
        ),
      );
    },

    getCollection(asked) {
      const { definition } = savedCollection(asked);
      return success("One collection.", definition);
    },

    runCollection(asked) {
      const saved = savedCollection(asked);
      const { ahj_ids, geoids, ...page } = readQuery(collectionDataQuery, asked.query);
      return collectionResults(saved, selected(asked, { ahj_ids, geoids }), page);
    },

    exportCollection(asked) {
      const saved = savedCollection(asked);
      const selection = readQuery(collectionExportQuery, asked.query);
      const { records } = selected(asked, selection);
      if (records.length === 0) {
        refuseInvalid([
          { loc: ["query", "geoids"], msg: "no AHJ was found for any of them", type: "geoid_not_found" },
        ]);
      }
      const columns = typesOf(saved.types);
      const cellOf = createCellReader(ladder, rules);
      function* rows() {
        for (const record of records) {
          const { name, state_code } = record.ahj;
          yield [name, state_code, ...columns.map((entry) => cellOf(record, entry)?.value ?? null)];
        }
      }
      return csvAnswer(
        saved.definition.name,
        ["AHJ", "State", ...columns.map(({ type }) => type.name)],
        rows(),
      );
    },

    runCollectionForGeoid(asked) {
      const saved = savedCollection(asked);
      const page = readQuery(pageQuery, asked.query);
      const record = grantGeoid(asked.organization, geography, asked.path("geoid"));
      return collectionResults(saved, { records: [record], warnings: [] }, page);
    },
  };
}
