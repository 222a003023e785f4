/** An element of index.html. */
export function element(id: string): HTMLElement {
  return document.getElementById(id)!;
}
