import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Frame, Page } from "@playwright/test";

/**
 * The looks that the pane can have at a user's: its width, the system's font, the user's own spacing of text, and zoom. Fluent asks for
 * "Segoe UI" first, so each font is given to the page under that name.
 */

/** Open Sans stands for Segoe UI, which no package has: it is drawn alike and a little wider. Arimo has the widths of Arial. */
export const fonts = {
  "Segoe UI": "open-sans",
  Arial: "arimo",
  "DejaVu Sans": "dejavu-sans",
} as const;

export interface Look {
  font: keyof typeof fonts;
  /** The pane's width in CSS pixels of a page that is not zoomed. */
  width: number;
  /** The spacing of WCAG 2.2, 1.4.12, which some users set for all pages. */
  isSpaced?: boolean;
  zoomPercent?: 100 | 200;
}

/** The height of the add-in's frame in a window of 1366 x 700. */
const heightPx = 570;

/** All looks. */
export const looks: readonly Look[] = [320, 380, 480].flatMap((width) =>
  (Object.keys(fonts) as Look["font"][]).flatMap((font) => [
    { font, width },
    { font, width, isSpaced: true },
    { font, width, zoomPercent: 200 as const },
  ]),
);

/** The looks that leave the least room. */
export const narrowestLooks: readonly Look[] = looks.filter(
  ({ font, width, isSpaced, zoomPercent }) =>
    font === "DejaVu Sans" && width === 320 && (isSpaced === true || zoomPercent === 200),
);

export function nameOf({ font, width, isSpaced, zoomPercent = 100 }: Look): string {
  return `${width} px, ${font}${isSpaced ? ", text spacing" : ""}${zoomPercent === 100 ? "" : `, ${zoomPercent} %`}`;
}

/** The font's files as base64, for normal and bold text. */
const filesOf = new Map<Look["font"], { normal: string; bold: string }>();

function readFont(font: Look["font"]): { normal: string; bold: string } {
  const known = filesOf.get(font);
  if (known) return known;
  const name = fonts[font];
  const file = (weight: number) =>
    readFileSync(
      fileURLToPath(import.meta.resolve(`@fontsource/${name}/files/${name}-latin-${weight}-normal.woff2`)),
      "base64",
    );
  const files = { normal: file(400), bold: file(700) };
  filesOf.set(font, files);
  return files;
}

/** Gives the pane a look. Zoom halves what a frame has of its page's pixels, in both directions. */
export async function wear(page: Page, frame: Frame, look: Look): Promise<void> {
  const { width, zoomPercent = 100 } = look;
  const size = { width: (width * 100) / zoomPercent, height: (heightPx * 100) / zoomPercent };
  await page.evaluate(({ width, height }) => {
    const { style, dataset } = document.getElementById("pane")!;
    dataset.widthBefore ??= style.width;
    // One pixel is its border.
    style.width = `${width + 1}px`;
    document.querySelector("iframe")!.style.height = `${height}px`;
  }, size);
  await dressText(frame, look);
}

/** Gives a page's text its font and spacing. */
export async function dressText(
  frame: Frame,
  { font, isSpaced = false }: Pick<Look, "font" | "isSpaced">,
): Promise<void> {
  const isKnown = await frame.evaluate((name) => name in ((window as LookedAt).fontsTried ?? {}), font);
  await frame.evaluate(dress, { font, isSpaced, files: isKnown ? undefined : readFont(font) });
}

/** Gives the pane back the look it had when it was opened. */
export async function takeOff(page: Page, frame: Frame): Promise<void> {
  await page.evaluate(() => {
    const { style, dataset } = document.getElementById("pane")!;
    style.width = dataset.widthBefore ?? "";
    delete dataset.widthBefore;
    document.querySelector("iframe")!.style.height = "";
  });
  await frame.evaluate(dress, { font: "", isSpaced: false, files: undefined });
}

type LookedAt = Window & { fontsTried?: Record<string, FontFace[]>; spacing?: CSSStyleSheet };

async function dress({
  font,
  isSpaced,
  files,
}: {
  font: string;
  isSpaced: boolean;
  files: { normal: string; bold: string } | undefined;
}) {
  const page = window as LookedAt;
  const tried = (page.fontsTried ??= {});
  if (files) {
    const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
    tried[font] = [
      new FontFace("Segoe UI", bytesOf(files.normal), { weight: "100 500" }),
      new FontFace("Segoe UI", bytesOf(files.bold), { weight: "600 900" }),
    ];
    await Promise.all(tried[font].map((face) => face.load()));
  }
  for (const faces of Object.values(tried)) for (const face of faces) document.fonts.delete(face);
  for (const face of tried[font] ?? []) document.fonts.add(face);
  page.spacing ??= new CSSStyleSheet();
  page.spacing.replaceSync(
    isSpaced
      ? `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
         p { margin-bottom: 2em !important; }`
      : "",
  );
  document.adoptedStyleSheets = [page.spacing];
  // A frame has its new size after its page was drawn.
  for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  // A list or menu that is open was opened by a control in sight.
  const opener = document.querySelector("[aria-haspopup][aria-expanded=true]") ?? document.activeElement;
  opener?.scrollIntoView({ block: "nearest" });
  // A popup follows only the parts that scrolled when it was opened, but each change of the window.
  window.dispatchEvent(new Event("resize"));
  const sizes = () =>
    [...document.querySelectorAll("html, [role=listbox], [role=menu]")]
      .flatMap((element) => [element.scrollHeight, element.getBoundingClientRect().top])
      .join(" ");
  let before = "";
  for (let same = 0; same < 2;) {
    await new Promise(requestAnimationFrame);
    const now = sizes();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}
