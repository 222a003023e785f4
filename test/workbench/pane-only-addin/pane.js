Office.onReady(() => {
  document.getElementById("write").addEventListener("click", () =>
    Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().getRange("B2").values = [["written"]];
      await context.sync();
    }),
  );
});
