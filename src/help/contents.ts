/** The pages of the help in their order, with titles and summaries. Each has a file of this path in `pages`. */
export const contents: readonly { heading: string; pages: readonly HelpEntry[] }[] = [
  {
    heading: "Six jobs",
    pages: [
      {
        path: "jobs/beside-a-list.html",
        title: "Add answers beside my list",
        summary: "A column of 2,000 geoIDs gets eight columns beside it.",
      },
      {
        path: "jobs/side-by-side.html",
        title: "Compare counties side by side",
        summary: "Forty counties and 53 questions in one table.",
      },
      {
        path: "jobs/whole-state.html",
        title: "Get a whole state",
        summary: "Texas and 15 questions, as a table or a CSV file.",
      },
      {
        path: "jobs/what-changed.html",
        title: "See what changed since last month",
        summary: "Refresh a table, and see old and new.",
      },
      {
        path: "jobs/citations.html",
        title: "Show where answers are written",
        summary: "References and sections of 200 jurisdictions, for an audit.",
      },
      {
        path: "jobs/who-answers.html",
        title: "Find who answers so",
        summary: "Where in Texas home batteries can be offered, from question to chart.",
      },
    ],
  },
  {
    heading: "In the pane",
    pages: [
      {
        path: "get-data.html",
        title: "Get data",
        summary: "Where, what and how, finding by answers, and names in lists.",
      },
      {
        path: "imports.html",
        title: "Imports and refreshing",
        summary: "Tables that the workbook remembers, and how to bring them up to date.",
      },
      {
        path: "changes.html",
        title: "What changed",
        summary: "Changes of the service, your own edits, and the history.",
      },
      {
        path: "source.html",
        title: "The source of a cell",
        summary: "Whose answer it is, and where it is written.",
      },
      {
        path: "freezing.html",
        title: "Freezing formulas",
        summary: "Formulas become values, and formulas again.",
      },
      {
        path: "sharing.html",
        title: "Sharing a workbook",
        summary: "What colleagues see, with a key, without one, or without RegData.",
      },
      {
        path: "limits.html",
        title: "Connection and request limits",
        summary: "Keys, what a request costs, and what is kept.",
      },
    ],
  },
  {
    heading: "In cells",
    pages: [
      {
        path: "formulas.html",
        title: "Formulas",
        summary: "All functions, ranges, geoIDs, questions, numbers and status words.",
      },
    ],
  },
  {
    heading: "If you need help",
    pages: [
      {
        path: "errors.html",
        title: "When something is in error",
        summary: "What each message means, and what to do.",
      },
      { path: "keyboard.html", title: "Keyboard", summary: "The pane without a mouse." },
      { path: "support.html", title: "Support", summary: "Whom to ask, and what to send." },
    ],
  },
];

export interface HelpEntry {
  /** Relative to the folder of the help. */
  path: string;
  title: string;
  summary: string;
}

/** The page that lists all others. */
export const startPage: HelpEntry = { path: "help.html", title: "RegData for Excel", summary: "" };
