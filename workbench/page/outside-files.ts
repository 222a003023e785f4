/**
 * Tells of the scripts and style sheets that a page of the add-in takes from other servers and that can't be had: its own code then
 * fails later, and for another reason.
 */
export async function tellMissingFiles(page: URL, report: (problem: string) => void): Promise<void> {
  const html = await (await fetch(page)).text();
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
