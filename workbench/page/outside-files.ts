/**
 * Reports a page of the add-in that can't be opened, and scripts and style sheets of other servers that the page can't load. Without
 * these reports the add-in's own code would fail later, with an error that does not name the cause.
 */
export async function tellMissingFiles(page: URL, report: (problem: string) => void): Promise<void> {
  if (page.origin !== location.origin)
    return report(
      `${page.href} is on another server than the add-in's pane, which the workbench does not support.`,
    );
  const answer = await fetch(page).catch(() => null);
  if (!answer?.ok)
    return report(`${page.pathname} could not be fetched. ${answer ? await answer.text() : ""}`.trim());
  const html = await answer.text();
  const { head, body } = new DOMParser().parseFromString(html, "text/html");
  const named = [head, body].flatMap((part) => [
    ...[...part.querySelectorAll("script[src]")].map((script) => script.getAttribute("src")),
    ...[...part.querySelectorAll("link[rel=stylesheet][href]")].map((link) => link.getAttribute("href")),
  ]);
  const outside = new Set(
    named
      .filter((address) => URL.canParse(address ?? "", page))
      .map((address) => new URL(address ?? "", page))
      .filter(({ origin, protocol }) => origin !== page.origin && /^https?:$/.test(protocol))
      .map(({ href }) => href),
  );
  for (const address of outside) {
    fetch(address, { mode: "no-cors" }).catch(() => {
      report(`${address} could not be fetched. ${page.pathname} goes on without it.`);
    });
  }
}
