/**
 * The ends of each scale have a contrast of at least 3 to each other. Each color has a contrast of at least 3 to the pane's background,
 * which is white, or #292929 in the dark theme (map-colors.test.ts).
 */
export const mapColors = {
  light: {
    background: "#ffffff",
    amounts: ["#4f9d69", "#2b8080", "#23628a", "#2b4279", "#2a1a52"],
    kinds: ["#174a8c", "#cf5f17", "#2c8a57", "#8e44ad", "#757575"],
  },
  dark: {
    background: "#292929",
    amounts: ["#3f7fb5", "#4fa0c0", "#6cbfc0", "#a0dbb8", "#e3f3c0"],
    kinds: ["#62abf5", "#f0a070", "#3fa66b", "#d59df0", "#b8b8b8"],
  },
};

const opacities = [0.45, 0.6, 0.72, 0.86, 1];

/** The colors of so many classes. A few classes of amounts are spread over the whole scale. */
export function classColors(theme: "light" | "dark", scale: "amounts" | "kinds", classes: number): string[] {
  const all = mapColors[theme][scale];
  return scale === "amounts" ? spread(all, classes) : all.slice(0, classes);
}

/** The strengths of the user's text color that tell the classes apart in high contrast. */
export function opacitiesOf(classes: number): number[] {
  return spread(opacities, classes);
}

function spread<Item>(all: readonly Item[], count: number): Item[] {
  const step = count > 1 ? (all.length - 1) / (count - 1) : 0;
  return Array.from({ length: count }, (_, index) => all[Math.round(index * step)]).filter(
    (item) => item !== undefined,
  );
}
