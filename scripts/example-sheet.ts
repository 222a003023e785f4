/** What the sample workbook holds at its start: a list of geoIDs, formulas beside it, and a hint where to go on. */
export const exampleSheet = [
  {
    address: "A1",
    rows: [
      ["geoID", "Electrical code", "Permit fee", "Review time (days)", "Solar mandate"],
      ["", "1003", "1045", "1030", "1017"],
    ],
  },
];
