/**
 * Lists, one sentence each, all things in some parts of a page that can't be pressed or read as they are laid out. `within` is a selector of
 * these parts. It runs in the page, so it uses nothing from outside itself. To scroll down is a way to read something; to scroll sideways is none, except in the preview of a table. A popup lies
 * over the rest of the page, so only its own controls are looked at while one is open.
 */
export function layoutFlaws(within: string): string[] {
  /** Browsers round edges to fractions of a pixel. */
  const tolerancePx = 1.5;
  const mayScrollSideways = "[role=region][aria-label=Preview], textarea, select, input";
  const controls =
    "a[href], button, input, select, textarea, summary, [role=tab], [role=option], [role^=menuitem], [tabindex='0']";

  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const short = (text: string) => `“${text.trim().replaceAll(/\s+/g, " ").slice(0, 60)}”`;
  const describe = (element: Element) =>
    `${element.localName} ${short(element.getAttribute("aria-label") ?? element.textContent ?? "")}`;
  const isHeardOnly = (element: Element) => {
    const { clipPath, clip } = getComputedStyle(element);
    return clipPath !== "none" || clip !== "auto";
  };

  const parts = [...document.querySelectorAll("*")].filter((element) => element.closest(within));
  const popups = parts.filter(
    (element) => element.matches("[role=menu], [role=listbox], [role=dialog]") && isSeen(element),
  );

  function wideParts(): string[] {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    const flaws: string[] = [];
    // If a page without scroll bars cuts something off, it is found among the texts and controls.
    const scrolls = getComputedStyle(document.body).overflow !== "hidden";
    if (scrolls && scrollWidth > clientWidth)
      flaws.push(`the page is ${scrollWidth} px wide in ${clientWidth}`);
    // The tabs stay in sight; under a popup they need not.
    if (scrolls && popups.length === 0 && scrollHeight > clientHeight)
      flaws.push(`the page is ${scrollHeight} px high in ${clientHeight}`);
    for (const element of parts) {
      const { overflowX } = getComputedStyle(element);
      if (!["auto", "scroll"].includes(overflowX) || element.closest(mayScrollSideways)) continue;
      if (element.scrollWidth > element.clientWidth + 1)
        flaws.push(`${describe(element)} is ${element.scrollWidth} px wide in ${element.clientWidth}`);
    }
    return flaws;
  }

  /** The middle of each control is hit by the control itself, once it is scrolled into sight. */
  function coveredControls(root: Element): string[] {
    return [...root.querySelectorAll<HTMLElement>(controls)].flatMap((control) => {
      // Fluent's sentinels hand the keyboard on.
      const isSentinel = "tabsterDummy" in control.dataset || control.closest("[aria-hidden=true]");
      if (isSentinel || !isSeen(control)) return [];
      control.scrollIntoView({ block: "center", behavior: "instant" });
      const [line] = [...control.getClientRects()].sort((one, other) => other.width - one.width);
      const { left, top, width, height } = line!;
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      const own = [control, ...((control as HTMLInputElement).labels ?? [])];
      if (own.some((element) => element.contains(hit))) return [];
      return [`${describe(control)} is covered by ${hit ? describe(hit) : "the edge of the page"}`];
    });
  }

  interface Line {
    text: Text;
    /** The part of the line that is in sight, and would be if all scrolling were as it is now. */
    shown: DOMRect;
    isCut: boolean;
    isBeside: boolean;
  }

  interface Clip {
    hidesAcross: boolean;
    hidesDown: boolean;
    /** The inner edges; undefined where nothing is clipped. */
    left?: number;
    right?: number;
    top?: number;
    bottom?: number;
  }
  /** The elements around a text that may hide parts of it; null if it is heard only. */
  const clipsAround = new Map<Element, readonly Clip[] | null>();

  function clipsOf(element: Element | null): readonly Clip[] | null {
    if (!element) return [];
    const known = clipsAround.get(element);
    if (known !== undefined) return known;
    const outer = isHeardOnly(element) ? null : clipsOf(element.parentElement);
    const clips = outer && [...ownClip(element), ...outer];
    clipsAround.set(element, clips);
    return clips;
  }

  function ownClip(element: Element): readonly Clip[] {
    const { overflowX, overflowY, display } = getComputedStyle(element);
    const isPlain = overflowX === "visible" && overflowY === "visible";
    if (isPlain || display === "inline" || display === "contents") return [];
    const box = element.getBoundingClientRect();
    const [left, top] = [box.left + element.clientLeft, box.top + element.clientTop];
    const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
    return [
      {
        hidesAcross: hides(overflowX),
        hidesDown: hides(overflowY),
        ...(overflowX === "visible" ? {} : { left, right: left + element.clientWidth }),
        ...(overflowY === "visible" ? {} : { top, bottom: top + element.clientHeight }),
      },
    ];
  }

  function lineOf(text: Text, whole: DOMRect): Line | undefined {
    const clips = clipsOf(text.parentElement);
    if (!clips) return undefined;
    let { left, top, right, bottom } = whole;
    let isCut = false;
    for (const clip of clips) {
      const inner = { left, top, right, bottom, ...clip };
      const isCutAcross = left < inner.left - tolerancePx || right > inner.right + tolerancePx;
      const isCutDown = top < inner.top - tolerancePx || bottom > inner.bottom + tolerancePx;
      if ((clip.hidesAcross && isCutAcross) || (clip.hidesDown && isCutDown)) isCut = true;
      [left, right] = [Math.max(left, inner.left), Math.min(right, inner.right)];
      [top, bottom] = [Math.max(top, inner.top), Math.min(bottom, inner.bottom)];
    }
    const shown = new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    const pageEnd = document.documentElement.clientWidth + tolerancePx;
    const isBeside = shown.width > 0 && (whole.left < -tolerancePx || whole.right > pageEnd);
    return { text, shown, isCut, isBeside };
  }

  function linesOfText(): Line[] {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const lines: Line[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const parent = text.parentElement!;
      const isDrawnElsewhere = parent.closest("select, textarea, style, script, svg") !== null;
      if (!parent.closest(within) || isDrawnElsewhere || text.data.trim() === "" || !isSeen(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      lines.push(...[...range.getClientRects()].flatMap((whole) => lineOf(text, whole) ?? []));
    }
    return lines;
  }

  function unreadable(lines: readonly Line[]): string[] {
    return lines.flatMap(({ text, isCut, isBeside }) => {
      const parent = text.parentElement!;
      const title = parent.closest("[title]")?.getAttribute("title") ?? "";
      const hasOtherWay = title.includes(text.data.trim()) || parent.closest("[aria-expanded=false]");
      if (isCut && !hasOtherWay) return [`${short(text.data)} is cut off`];
      return isBeside && !parent.closest(mayScrollSideways) ? [`${short(text.data)} is beside the page`] : [];
    });
  }

  function overlaps(lines: readonly Line[]): string[] {
    const shared = (one: DOMRect, other: DOMRect) => ({
      across: Math.min(one.right, other.right) - Math.max(one.left, other.left),
      down: Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
    });
    return lines.flatMap(({ text, shown }, at) =>
      lines.slice(at + 1).flatMap((other) => {
        // Boxes of neighboring lines share a few pixels where no letter is.
        const { across, down } = shared(shown, other.shown);
        if (other.text === text || across <= 3 || down <= 5) return [];
        return [`${short(text.data)} lies over ${short(other.text.data)}`];
      }),
    );
  }

  /** A placeholder ends where its field ends, and nobody can scroll it. */
  function cutPlaceholders(): string[] {
    const pen = document.createElement("canvas").getContext("2d")!;
    return [...document.querySelectorAll<HTMLInputElement>("input[placeholder]")].flatMap((field) => {
      if (!field.closest(within) || !isSeen(field) || field.value !== "") return [];
      const { font, letterSpacing, wordSpacing, paddingLeft, paddingRight } = getComputedStyle(field);
      Object.assign(pen, { font, letterSpacing, wordSpacing });
      const roomPx = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      const isCut = pen.measureText(field.placeholder).width > roomPx + 1;
      return isCut ? [`the placeholder ${short(field.placeholder)} is cut off`] : [];
    });
  }

  const flaws = wideParts();
  const places = parts.map((element) => [element, element.scrollTop, element.scrollLeft] as const);
  flaws.push(
    ...(popups.length > 0 ? popups : [...document.querySelectorAll(within)]).flatMap(coveredControls),
  );
  for (const [element, top, left] of places) {
    if (element.scrollTop !== top) element.scrollTop = top;
    if (element.scrollLeft !== left) element.scrollLeft = left;
  }
  const lines = linesOfText();
  flaws.push(...unreadable(lines), ...(popups.length > 0 ? [] : overlaps(lines)), ...cutPlaceholders());
  return [...new Set(flaws)];
}
