import { answer } from "./call";
import { value as values } from "./value-and-citation";

/** Lists and collections are a script of their own, because a sheet of answers needs none of it. */
const lists = () => import("./lists-and-collections");
/** So are formulas that show when an answer has changed. */
const dated = () => import("./dated-answers");

/**
 * The effective answer of a jurisdiction to a regulatory question. Ranges give a row for each jurisdiction and a column for each question.
 * @customfunction VALUE
 * @param geoid The jurisdiction's geoID, such as "06001", its name, such as "Alameda County, CA", or "ahj:" and an AHJ id; a cell or a range.
 * @param question_id The question's id, such as 1003, or its name; a cell or a range. TYPES finds them.
 * @param [field] What to show: "value" (default), "text" (exactly as published), "reference", "section", "citation" (both in one text), "updated_at", "unit", "question" (its name) or "status".
 * @param [if_missing] What to show where no value is recorded, instead of #N/A. It replaces no other error.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A number, TRUE or FALSE if the answer certainly is one; otherwise the text as published.
 * @example =REGDATA.VALUE("06001", 1003)
 * The electrical code that Alameda County, California enforces.
 * @example =REGDATA.VALUE(A2:A50, B1:H1)
 * A row for each geoID or name in A2:A50, a column for each question in B1:H1.
 * @example =REGDATA.VALUE("06001", 1003, "section", "none")
 * The section in which the value is written, or "none" where there is no value.
 */
export function value(
  geoid: any[][],
  question_id: any[][],
  field: any,
  if_missing: any,
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(invocation, "VALUE", { geoid, typeId: question_id, field, ifMissing: if_missing }, values);
}

/**
 * A comparison: jurisdictions as rows with name and state in front, questions as columns with a header row.
 * @customfunction MATRIX
 * @param geoids The jurisdictions' geoIDs or names: a cell or a range.
 * @param question_ids The questions' ids or names: a cell or a range.
 * @param [headers] FALSE leaves the header row out. Default: TRUE.
 * @param [field] What to show, as in VALUE. Default: "value".
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A table; a cell without an answer has its own error.
 * @example =REGDATA.MATRIX(A2:A41, B1:K1)
 * Forty jurisdictions by ten questions, with headers.
 * @example =REGDATA.MATRIX(A2:A41, {1001,1003}, FALSE)
 * The same for two questions, without the header row.
 * @example =REGDATA.MATRIX(A2:A41, B1:K1, TRUE, "status")
 * Which of the answers are there, and why the others are not.
 */
export function matrix(
  geoids: any[][],
  question_ids: any[][],
  headers: any,
  field: any,
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(invocation, "MATRIX", { geoids, typeIds: question_ids, headers, field }, async (...given) =>
    (await import("./matrix")).matrix(...given),
  );
}

/**
 * Where an answer is written: reference and section in one text.
 * @customfunction CITATION
 * @param geoid The jurisdiction's geoID or name: a cell or a range.
 * @param question_id The question's id or name: a cell or a range.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A text: "no citation recorded" where a value has none, empty where there is no value.
 * @example =REGDATA.CITATION("06001", 1001)
 * The citation of one answer.
 * @example =REGDATA.CITATION(A2:A50, 1003)
 * A citation for each geoID in A2:A50.
 * @example =REGDATA.VALUE(A2, 1003, "section")
 * The section alone.
 */
export function citation(
  geoid: any[][],
  question_id: any[][],
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(
    invocation,
    "CITATION",
    { geoid, typeId: question_id, field: "citation", ifMissing: "" },
    values,
  );
}

/**
 * The answer as a card that shows jurisdiction, question, unit, reference, section and date. In an Excel without data types it is the plain value.
 * @customfunction CARD
 * @param geoid The jurisdiction's geoID or name: a cell or a range.
 * @param question_id The question's id or name: a cell or a range.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A card: click its icon to open it. To calculate, use VALUE instead.
 * @example =REGDATA.CARD("06001", 1003)
 * One answer with all that is known about it.
 * @example =REGDATA.CARD(A2:A50, 1003)
 * A card for each geoID in A2:A50.
 * @example =FIELDVALUE(REGDATA.CARD(A2, 1003), "Reference")
 * One line of the card, in an Excel with data types.
 */
export function card(
  geoid: any[][],
  question_id: any[][],
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(invocation, "CARD", { geoid, typeId: question_id }, async (...given) =>
    (await dated()).card(...given),
  );
}

/**
 * TRUE if an answer was changed after a date.
 * @customfunction CHANGED
 * @param geoid The jurisdiction's geoID or name: a cell or a range.
 * @param question_id The question's id or name: a cell or a range.
 * @param since A date, or a text such as "2026-03-01". It means midnight at its beginning, in UTC.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns TRUE or FALSE.
 * @example =REGDATA.CHANGED("06001", 1003, DATE(2026,3,1))
 * TRUE if one answer has changed since 1 March 2026.
 * @example =REGDATA.CHANGED(A2:A50, B1:H1, J1)
 * The same for many, with the date in J1.
 * @example =SUM(IFERROR(--REGDATA.CHANGED(A2:A50, 1003, "2026-03-01"), 0))
 * How many have changed.
 */
export function changed(
  geoid: any[][],
  question_id: any[][],
  since: any,
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(invocation, "CHANGED", { geoid, typeId: question_id, since }, async (...given) =>
    (await dated()).changed(...given),
  );
}

/**
 * The geoID of a jurisdiction, by its name: a text with its zeros, to be used in the other formulas. A range gives a geoID for each name.
 * @customfunction GEOID
 * @param name The jurisdiction's name, with its state or without, such as "Alameda County, CA"; a cell or a range.
 * @param [state] The state's code or name, such as "CA": one for all names, or a range with one for each.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A text, or #N/A where it is not certain who is meant; the error then names up to three who may be meant. "ahj:" and the AHJ id where there is no geoID.
 * @example =REGDATA.GEOID("Alameda County, CA")
 * The geoID of Alameda County, California: 06001.
 * @example =REGDATA.GEOID(A2:A50, B2:B50)
 * The geoIDs of the names in A2:A50, each in the state beside it.
 * @example =REGDATA.VALUE(REGDATA.GEOID("Clark County", "NV"), 1003)
 * An answer of a jurisdiction by its name and its state, which may stand in a cell of its own.
 */
export function geoid(
  name: any[][],
  state: any[][],
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(invocation, "GEOID", { name, state }, async (_, given) => (await lists()).geoid(given));
}

/**
 * Facts about a jurisdiction itself. Ranges give a row for each jurisdiction and a column for each field.
 * @customfunction AHJ
 * @param geoid The jurisdiction's geoID or name, or "ahj:" and an AHJ id: a cell or a range.
 * @param [field] "name" (default), "id", "type", "state_code" or "geoid"; or, at a request for each jurisdiction, "state_name", "county", "population", "lat" or "lon". Several at once give a row.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A text or a number; empty where nothing is recorded.
 * @example =REGDATA.AHJ("06001")
 * The name of the jurisdiction.
 * @example =REGDATA.AHJ(A2:A50, {"name","type","state_code"})
 * Three columns beside a list of geoIDs.
 * @example =REGDATA.AHJ("ahj:1234", "population")
 * The population of an AHJ, by its id.
 */
export function ahj(
  geoid: any[][],
  field: any[][],
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(invocation, "AHJ", { geoid, field }, async (_, given) => (await lists()).ahj(given));
}

/**
 * The jurisdictions of your subscription.
 * @customfunction AHJS
 * @param [state] A state's code, such as "CA".
 * @param [search] Beginnings of words of the name, or of the geoID.
 * @param [headers] FALSE leaves the header row out. Default: TRUE.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A table: AHJ id, name, type, state, geoID.
 * @example =REGDATA.AHJS("CA")
 * All of California.
 * @example =REGDATA.AHJS("CA", "oak")
 * Those with a word that begins with "oak".
 * @example =INDEX(REGDATA.AHJS("NV", , FALSE), , 5)
 * The geoIDs of Nevada.
 */
export function ahjs(
  state: any,
  search: any,
  headers: any,
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(invocation, "AHJS", { state, search, headers }, async (...given) =>
    (await lists()).ahjs(...given),
  );
}

/**
 * The questions that can be asked.
 * @customfunction TYPES
 * @param [search] Words for what is asked, such as "plan review time" or "NEC", or an id. A category's name gives its questions.
 * @param [category] A category's id or name.
 * @param [headers] FALSE leaves the header row out. Default: TRUE.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A table: question id, name, description, unit, categories.
 * @example =REGDATA.TYPES()
 * The whole catalogue.
 * @example =REGDATA.TYPES("permit fee")
 * Questions about permit fees.
 * @example =REGDATA.TYPES(, "Inspections")
 * The questions of one category.
 */
export function types(
  search: any,
  category: any,
  headers: any,
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(invocation, "TYPES", { search, category, headers }, async (...given) =>
    (await lists()).types(...given),
  );
}

/**
 * The categories that questions belong to.
 * @customfunction CATEGORIES
 * @param [headers] FALSE leaves the header row out. Default: TRUE.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A table: category id, name.
 * @example =REGDATA.CATEGORIES()
 * All categories.
 * @example =REGDATA.CATEGORIES(FALSE)
 * The same without the header row.
 * @example =XLOOKUP(3, INDEX(REGDATA.CATEGORIES(FALSE), , 1), INDEX(REGDATA.CATEGORIES(FALSE), , 2))
 * The name of category 3.
 */
export function categories(headers: any, invocation: CustomFunctions.CancelableInvocation): Promise<any[][]> {
  return answer(invocation, "CATEGORIES", { headers }, async (...given) =>
    (await lists()).categories(...given),
  );
}

/**
 * The units in which answers are given.
 * @customfunction UNITS
 * @param [headers] FALSE leaves the header row out. Default: TRUE.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A table of one column.
 * @example =REGDATA.UNITS()
 * All units.
 * @example =REGDATA.UNITS(FALSE)
 * The same without the header row.
 * @example =REGDATA.VALUE("06001", 1003, "unit")
 * The unit of one question.
 */
export function units(headers: any, invocation: CustomFunctions.CancelableInvocation): Promise<any[][]> {
  return answer(invocation, "UNITS", { headers }, async (...given) => (await lists()).units(...given));
}

/**
 * The collections that your organization has saved.
 * @customfunction COLLECTIONS
 * @param [headers] FALSE leaves the header row out. Default: TRUE.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A table: collection id, name, description, date of the last change.
 * @example =REGDATA.COLLECTIONS()
 * All collections.
 * @example =REGDATA.COLLECTIONS(FALSE)
 * The same without the header row.
 * @example =INDEX(REGDATA.COLLECTIONS(FALSE), , 2)
 * Their names.
 */
export function collections(
  headers: any,
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  return answer(invocation, "COLLECTIONS", { headers }, async (...given) =>
    (await lists()).collections(...given),
  );
}

/**
 * The answers of a saved collection for jurisdictions.
 * @customfunction COLLECTION
 * @param collection The collection's name or its id.
 * @param geoids The jurisdictions' geoIDs or names: a cell or a range.
 * @param [layout] "wide" (default): a row for each jurisdiction. "long": a row for each value, with citation and date.
 * @param [headers] FALSE leaves the header row out. Default: TRUE.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A table; a cell without an answer has its own error.
 * @example =REGDATA.COLLECTION("Residential solar", A2:A20)
 * A row for each geoID in A2:A20.
 * @example =REGDATA.COLLECTION("Residential solar", "06001", "long")
 * A row for each value, with its citation.
 * @example =REGDATA.COLLECTION(E1, A2:A20, "wide", FALSE)
 * The collection named in E1, without the header row.
 */
export function collection(
  collection: any,
  geoids: any[][],
  layout: any,
  headers: any,
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  const args = { collection, geoids, layout, headers };
  return answer(invocation, "COLLECTION", args, async (...given) => (await lists()).collection(...given));
}

/**
 * The jurisdictions whose answers meet conditions. Only those that certainly meet them are listed; the header counts those of which it is not known.
 * @customfunction FIND
 * @param where Among whom to look: geoIDs, names, states such as "CA", kinds such as "counties", or "all"; a cell or a range.
 * @param conditions Three columns: question (id or exact name), operator, value. Or two: question, and both in a cell, as "under 10". A row is a condition; blank rows are left out.
 * @param [columns] Questions whose answers stand beside those found: a cell or a range.
 * @param [headers] FALSE leaves the header row out, and with it how many are not known. Default: TRUE.
 * @param [match] "all" (default): every condition has to be met. "any": one is enough.
 * @param [show] "found" (default), or "unknown": those of which it is not known, and why.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A table: name, state, geoID and the columns that you name. It sends at most 20 requests by itself.
 * @example =REGDATA.FIND("CA", {1057,"at most",300})
 * Where in California question 1057 is certainly answered with 300 or less.
 * @example =REGDATA.FIND(A2:A50, F2:H4, {1057,1003})
 * Which of the geoIDs in A2:A50 meet the conditions in F2:H4, with two answers each.
 * @example =REGDATA.FIND("CA", F2:H4, , , "any", "unknown")
 * Of whom it is not known whether they meet one of the conditions, and why.
 */
export function find(
  where: any[][],
  conditions: any[][],
  columns: any[][],
  headers: any,
  match: any,
  show: any,
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any[][]> {
  const args = { where, conditions, columns, headers, match, show };
  return answer(invocation, "FIND", args, async (...given) =>
    (await import("./find/found-jurisdictions")).find(...given),
  );
}
