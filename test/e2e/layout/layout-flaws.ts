/**
 * What in a page can't be pressed or read as it is laid out, one sentence each. It runs in the page. Scrolling down to something is a way to
 * it; scrolling sideways is none, but in a region that is named as a table's preview.
 */
export function layoutFlaws(): string[] {
  const tolerancePx = 1.5;
  const flaws: string[] = [];
  const parts = [...document.querySelectorAll<HTMLElement>("body *")];
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const describe = (element: Element) => {
    const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
    return `${element.localName} “${name.trim().slice(0, 60)}”`;
  };
  /** Text for screen readers alone. */
  const isForEars = (element: Element) => {
    const { clipPath, clip } = getComputedStyle(element);
    return clipPath !== "none" || clip !== "auto";
  };

  // A popup lies over the rest as long as it is open.
  const popups = parts.filter(
    (element) => element.matches("[role=menu], [role=listbox], [role=dialog]") && isSeen(element),
  );
  const roots: Element[] = popups.length > 0 ? popups : [document.body];

  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) flaws.push(`the page is ${scrollWidth} px wide in ${clientWidth}`);
  for (const element of parts) {
    const { overflowX } = getComputedStyle(element);
    if (overflowX !== "auto" && overflowX !== "scroll") continue;
    if (element.closest("[role=region][aria-label=Preview]") || element.matches("textarea, select, input"))
      continue;
    if (element.scrollWidth > element.clientWidth + 1)
      flaws.push(`${describe(element)} is ${element.scrollWidth} px wide in ${element.clientWidth}`);
  }

  const widest = parts.filter((e) => isSeen(e) && !isForEars(e) && e.getBoundingClientRect().right > clientWidth + 1).slice(-2);
  if (widest.length) flaws.push("WIDEST " + widest.map((e) => e.className + " " + describe(e) + " " + e.getBoundingClientRect().right).join(" | "));
  const scrolled = parts.filter(({ scrollTop, scrollLeft }) => scrollTop !== 0 || scrollLeft !== 0);
  const places = scrolled.map(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft] as const);

  // The middle of whatever can be pressed is hit by itself.
  const controls =
    "a[href], button, input, select, textarea, summary, [role=tab], [role=option], [role^=menuitem], [tabindex='0']";
  for (const root of roots) {
    for (const control of root.querySelectorAll<HTMLElement>(controls)) {
      if (!isSeen(control) || "tabsterDummy" in control.dataset || control.closest("[aria-hidden=true]"))
        continue;
      control.scrollIntoView({ block: "center", behavior: "instant" });
      const lines = [...control.getClientRects()].sort((one, other) => other.width - one.width);
      const { left, top, width, height } = lines[0]!;
      const [x, y] = [left + width / 2, top + height / 2];
      const hit = document.elementFromPoint(x, y);
      const labels = (control as HTMLInputElement).labels ?? [];
      const isOwn = [control, ...labels].some((own) => own.contains(hit));
      // The middle of a scrolling list may be one of its own lines; a region that takes the focus holds other things.
      if (!isOwn)
        flaws.push(`${describe(control)} is covered by ${hit ? describe(hit) : "the edge"} at ${x}, ${y}`);
    }
  }

  // Text is whole, and lies over no other text.
  const lines: { text: Text; box: DOMRect }[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const parent = text.parentElement!;
    if (text.data.trim() === "" || !isSeen(parent) || parent.closest("select, textarea, style, script, svg"))
      continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const whole of range.getClientRects()) {
      let { left, top, right, bottom } = whole;
      let isCut = false;
      let isHeard = false;
      for (let around: Element | null = parent; around; around = around.parentElement) {
        if (isForEars(around)) isHeard = true;
        const { overflowX, overflowY, display } = getComputedStyle(around);
        if (display === "inline" || display === "contents") continue;
        const box = around.getBoundingClientRect();
        const edges = {
          left: box.left + around.clientLeft,
          top: box.top + around.clientTop,
          right: box.left + around.clientLeft + around.clientWidth,
          bottom: box.top + around.clientTop + around.clientHeight,
        };
        const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
        if (hides(overflowX) && (left < edges.left - tolerancePx || right > edges.right + tolerancePx))
          isCut = true;
        if (hides(overflowY) && (top < edges.top - tolerancePx || bottom > edges.bottom + tolerancePx))
          isCut = true;
        if (overflowX !== "visible")
          [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
        if (overflowY !== "visible")
          [top, bottom] = [Math.max(top, edges.top), Math.min(bottom, edges.bottom)];
      }
      if (isHeard) continue;
      const titled = parent.closest("[title]")?.getAttribute("title") ?? "";
      const opens = parent.closest("[aria-expanded=false]");
      if (isCut && !titled.includes(text.data.trim()) && !opens)
        flaws.push(`“${text.data.trim().slice(0, 60)}” is cut off`);
      if (
        whole.left < -tolerancePx ||
        (whole.right > clientWidth + tolerancePx &&
          right > left &&
          !isCut &&
          !parent.closest("[role=region][aria-label=Preview]"))
      )
        flaws.push(`“${text.data.trim().slice(0, 60)}” is beside the page`);
      if (right > left && bottom > top)
        lines.push({ text, box: new DOMRect(left, top, right - left, bottom - top) });
    }
  }
  if (popups.length === 0) {
    lines.forEach(({ text, box }, at) => {
      for (const other of lines.slice(at + 1)) {
        if (other.text === text) continue;
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        // Lines of one paragraph touch where they are as high as their letters.
        if (across > 3 && down > 5)
          flaws.push(`“${text.data.trim().slice(0, 40)}” lies over “${other.text.data.trim().slice(0, 40)}”`);
      }
    });
  }

  // A placeholder that is too long has no end.
  const pen = document.createElement("canvas").getContext("2d")!;
  for (const field of document.querySelectorAll<HTMLInputElement>("input[placeholder]")) {
    if (!isSeen(field) || field.value !== "") continue;
    const style = getComputedStyle(field);
    pen.font = style.font;
    pen.letterSpacing = style.letterSpacing;
    pen.wordSpacing = style.wordSpacing;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (pen.measureText(field.placeholder).width > room + 1 && !field.title.includes(field.placeholder))
      flaws.push(`the placeholder “${field.placeholder}” is cut off`);
  }

  for (const element of parts) {
    if (element.scrollTop !== 0 || element.scrollLeft !== 0) [element.scrollTop, element.scrollLeft] = [0, 0];
  }
  scrolled.forEach((element, at) => {
    [element.scrollTop, element.scrollLeft] = places[at]!;
  });
  return [...new Set(flaws)];
}
