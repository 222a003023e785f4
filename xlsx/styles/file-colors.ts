import { childOf, childrenOf, type XmlElement } from "../xml/xml-tree";

/** The colors that a file names by an index, from 8 on; 0 to 7 are the first eight again. Source: ECMA-376 Part 1, 18.8.27. */
const indexed = [
  ...["000000", "FFFFFF", "FF0000", "00FF00", "0000FF", "FFFF00", "FF00FF", "00FFFF"],
  ...["800000", "008000", "000080", "808000", "800080", "008080", "C0C0C0", "808080"],
  ...["9999FF", "993366", "FFFFCC", "CCFFFF", "660066", "FF8080", "0066CC", "CCCCFF"],
  ...["000080", "FF00FF", "FFFF00", "00FFFF", "800080", "800000", "008080", "0000FF"],
  ...["00CCFF", "CCFFFF", "CCFFCC", "FFFF99", "99CCFF", "FF99CC", "CC99FF", "FFCC99"],
  ...["3366FF", "33CCCC", "99CC00", "FFCC00", "FF9900", "FF6600", "666699", "969696"],
  ...["003366", "339966", "003300", "333300", "993300", "993366", "333399", "333333"],
];
const SYSTEM_FOREGROUND = 64;
const SYSTEM_BACKGROUND = 65;

/** The order in which a file counts the theme's colors: light and dark stand the other way round in the theme. */
const themeOrder = [
  ...["lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6"],
  ...["hlink", "folHlink"],
];

/** Office's own colors, for a workbook that has no theme. */
const officeTheme = [
  ...["FFFFFF", "000000", "E7E6E6", "44546A", "4472C4", "ED7D31", "A5A5A5", "FFC000", "5B9BD5", "70AD47"],
  ...["0563C1", "954F72"],
];

/** Turns the file's colors into `#RRGGBB`. */
export class FileColors {
  private readonly theme: string[];
  private readonly palette: string[];

  /** `theme` is the root of the theme part, `styles` that of the styles. */
  constructor(theme: XmlElement | undefined, styles: XmlElement | undefined) {
    const scheme = childOf(childOf(theme, "themeElements"), "clrScheme");
    this.theme = themeOrder.map((name, index) => {
      const [color] = childOf(scheme, name)?.children ?? [];
      const text = color?.attributes["lastClr"] ?? color?.attributes["val"] ?? "";
      return /^[0-9a-f]{6}$/i.test(text) ? text : (officeTheme[index] ?? "000000");
    });
    const own = childrenOf(childOf(childOf(styles, "colors"), "indexedColors"), "rgbColor");
    this.palette = own.map(({ attributes }) => attributes["rgb"]?.slice(-6) ?? "000000");
  }

  /** Null for no color, for an automatic one, and for one that can't be read. */
  read(color: XmlElement | undefined): string | null {
    if (!color) return null;
    const { rgb, theme, indexed: index, tint } = color.attributes;
    const base =
      rgb !== undefined
        ? rgb.slice(-6)
        : theme !== undefined
          ? this.theme[Number(theme)]
          : index !== undefined
            ? this.indexedColor(Number(index))
            : undefined;
    if (!base || !/^[0-9a-f]{6}$/i.test(base)) return null;
    return `#${tinted(base, Number(tint ?? 0) || 0).toUpperCase()}`;
  }

  private indexedColor(index: number): string | undefined {
    if (index === SYSTEM_FOREGROUND) return "000000";
    if (index === SYSTEM_BACKGROUND) return "FFFFFF";
    return this.palette[index] ?? indexed[index < 8 ? index : index - 8];
  }
}

/** A color made lighter (to 1) or darker (to -1). Source: ECMA-376 Part 1, 18.8.19, attribute tint. */
function tinted(color: string, tint: number): string {
  if (tint === 0) return color;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const range = most - least;
  const lightness = (most + least) / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  const sixth =
    range === 0
      ? 0
      : most === red
        ? ((green - blue) / range + 6) % 6
        : most === green
          ? (blue - red) / range + 2
          : (red - green) / range + 4;
  const light = tint < 0 ? lightness * (1 + tint) : lightness * (1 - tint) + tint;
  const chroma = (1 - Math.abs(2 * light - 1)) * saturation;
  const second = chroma * (1 - Math.abs((sixth % 2) - 1));
  const pure = [
    [chroma, second, 0],
    [second, chroma, 0],
    [0, chroma, second],
    [0, second, chroma],
    [second, 0, chroma],
    [chroma, 0, second],
  ][Math.floor(sixth) % 6] ?? [0, 0, 0];
  return pure
    .map((each) => Math.round((each + light - chroma / 2) * 255))
    .map((each) => Math.min(255, Math.max(0, each)).toString(16).padStart(2, "0"))
    .join("");
}
