let calls = 0;

Office.onReady();

// The page is loaded for each call, so that it counts to one.
window.writeOnce = (event) => {
  calls += 1;
  Excel.run(async (context) => {
    context.workbook.worksheets.getActiveWorksheet().getRange("A1").values = [[`called ${calls}`]];
    await context.sync();
  }).then(() => event.completed());
};
