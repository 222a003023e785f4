import { makeStyles, tokens } from "@fluentui/react-components";

/**
 * A pane of this height, such as one at 200 % zoom, has no room for parts that stay in place: everything below the tabs scrolls as one.
 */
const low = "@media (max-height: 400px)";

/** A part that scrolls is positioned, because a text that is only heard would lie outside of it otherwise and make the page longer. */
const scrolls = {
  position: "relative",
  overflowY: "auto",
  overflowWrap: "anywhere",
  [low]: { overflowY: "visible" },
} as const;

/**
 * The places of the pane, from top to bottom: the head with the tabs; the notices; one screen, which has at its bottom either nothing or a
 * footer that stays in sight while the part above it scrolls.
 */
export const usePaneLayout = makeStyles({
  page: {
    display: "flex",
    flexDirection: "column",
    height: "100vh",
    backgroundColor: tokens.colorNeutralBackground1,
    // The baseline of a button of several lines is its last line, so the list item's bullet would stand beside that line.
    "& li .fui-Link": { verticalAlign: "top", lineHeight: "inherit" },
    "@media (forced-colors: active)": { "& .fui-Link": { textDecorationLine: "underline" } },
    // Fluent lets a message shrink to one line, with its text over its buttons, and keeps its buttons in one line.
    // In a row, a message that does not shrink would be as long as its text.
    "& .fui-MessageBar": { flexShrink: 0, maxWidth: "100%" },
    "& .fui-MessageBarActions, & .fui-RadioGroup": { flexWrap: "wrap" },
    // A field is as wide as its place. Else a list is as wide as its longest entry, and a text field as twenty letters.
    "& .fui-Field, & .fui-Field > *": { minWidth: 0 },
    "& :is(.fui-Select, .fui-Input)": { minWidth: 0 },
    "& :is(.fui-Combobox, .fui-Dropdown)": { minWidth: 0, width: "100%" },
    "& :is(.fui-Select, .fui-Input, .fui-Combobox) :is(select, input)": {
      minWidth: 0,
      width: "100%",
      boxSizing: "border-box",
    },
  },
  belowTabs: {
    flex: 1,
    minHeight: 0,
    display: "flex",
    flexDirection: "column",
    position: "relative",
    [low]: { display: "block", overflowY: "auto" },
  },
  notices: {
    ...scrolls,
    flexShrink: 0,
    maxHeight: "45vh",
    [low]: { overflowY: "visible", maxHeight: "none" },
  },
  screen: {
    ...scrolls,
    flex: 1,
    minHeight: 0,
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalL,
    padding: tokens.spacingHorizontalM,
    "&[hidden]": { display: "none" },
  },
  withFooter: { gap: 0, padding: 0, overflowY: "hidden", [low]: { overflowY: "visible" } },
  aboveFooter: {
    ...scrolls,
    flex: "1 1 0",
    minHeight: "6rem",
    padding: tokens.spacingHorizontalM,
    [low]: { flex: "none", overflowY: "visible" },
  },
  footer: {
    ...scrolls,
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalS,
    padding: tokens.spacingHorizontalM,
    borderTop: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke1}`,
    // A report may be long, and the screen above must stay in reach.
    maxHeight: "40vh",
    [low]: { overflowY: "visible", maxHeight: "none" },
  },
});
