/** webpack.config.js gives the shapes as deployment/county-shapes.ts packs them. */
declare module "us-atlas/counties-10m.json" {
  import type { PackedShapes } from "../../../pictures/county-outlines";

  const shapes: PackedShapes;
  export default shapes;
}
