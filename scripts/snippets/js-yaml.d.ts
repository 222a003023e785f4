declare module "js-yaml" {
  /** The value of a YAML document. */
  export function load(text: string): unknown;
}
