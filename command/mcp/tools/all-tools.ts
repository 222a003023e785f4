import type { Tool } from "../tool";
import { checkWorkbook } from "./check-workbook";
import { diffWorkbooks } from "./diff-workbooks";
import { fillTableTool } from "./fill-table";
import { findPlaces } from "./find-places";
import { getAnswers } from "./get-answers";
import { makeTemplateWorkbook, makeWorkbook } from "./make-workbook";
import { refreshWorkbook } from "./refresh-workbook";
import { searchPlaces } from "./search-places";
import { searchQuestions } from "./search-questions";

export const allTools: readonly Tool[] = [
  ...[searchPlaces, searchQuestions, getAnswers, findPlaces],
  ...[refreshWorkbook, fillTableTool, diffWorkbooks, checkWorkbook, makeWorkbook, makeTemplateWorkbook],
];
