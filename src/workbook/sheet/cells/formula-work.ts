/** What is done with cells of formulas, in a script of its own. */
export {
  calculateCells,
  findFormulas,
  goToCells,
  readContents,
  readOwnFormats,
  readScope,
} from "./formula-search";
export { replaceCells } from "./replace-cells";
