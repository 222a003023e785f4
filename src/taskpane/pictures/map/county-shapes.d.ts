/** webpack.config.js replaces this module by the shapes that deployment/county-shapes.ts packs. */
declare module "us-atlas/counties-10m.json" {
  import type { PackedShapes } from "../../../pictures/county-outlines";

  const shapes: PackedShapes;
  export default shapes;
}
