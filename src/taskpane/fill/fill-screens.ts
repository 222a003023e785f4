/** The screens that fill the sheet, in one script: they are made of the same parts. */
export { CollectionScreen } from "./CollectionScreen";
export { MatrixScreen } from "./MatrixScreen";
