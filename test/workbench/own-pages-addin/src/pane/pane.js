Office.onReady(({ addin }) => {
  document.body.dataset.started = addin === null ? "alone" : "shared";
  Office.ribbon.requestUpdate({ tabs: [{ id: "OwnTab", controls: [{ id: "Locked", enabled: true }] }] });
});
