import { makeStyles, tokens } from "@fluentui/react-components";

/** The styles of a table of answers in a narrow pane. Its first column names the rows. */
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
