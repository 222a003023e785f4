import { makeStyles, tokens } from "@fluentui/react-components";

/** A table of answers in the width of the pane; its first column names the rows. */
export const useTableStyles = makeStyles({
  table: {
    width: "100%",
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    borderSpacing: 0,
    overflowWrap: "anywhere",
    "& th, & td": { textAlign: "left", verticalAlign: "top", padding: tokens.spacingVerticalXXS },
    "& th:first-child": { paddingLeft: 0 },
    "& tbody th": { fontWeight: tokens.fontWeightRegular },
  },
});
