import { contents, startPage } from "./contents";
import { type Html, html } from "./html-text";

/** A finished page; its path is relative to the folder of the help. */
export interface HelpPage {
  path: string;
  html: string;
}

/** A page with its head, its heading and links to all other pages. */
export function framed({ path, title }: { path: string; title: string }, body: Html): HelpPage {
  const root = path.includes("/") ? "../" : "";
  const isStart = path === startPage.path;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${isStart ? "Help" : title}: RegData for Excel</title>
        <link rel="stylesheet" href="${root}help.css" />
      </head>
      <body class="${isStart ? "start" : "page"}">
        ${
          isStart
            ? ""
            : html`<header>
                <a href="${root}${startPage.path}">RegData for Excel: Help</a>
                <a class="to-contents" href="#contents">Contents</a>
              </header>`
        }
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
        ${isStart ? "" : navigation(path, root)}
      </body>
    </html> `;
  return { path, html: page.html };
}

function navigation(current: string, root: string): Html {
  return html`<nav id="contents" aria-label="Contents">
    ${contents.map(
      ({ heading, pages }) =>
        html`<h2>${heading}</h2>
          <ul>
            ${pages.map(({ path, title }) =>
              path === current
                ? html`<li><a href="${root}${path}" aria-current="page">${title}</a></li>`
                : html`<li><a href="${root}${path}">${title}</a></li>`,
            )}
          </ul>`,
    )}
  </nav>`;
}

/** The list of all pages, for the start page. */
export function contentsList(): Html {
  return html`${contents.map(
    ({ heading, pages }) =>
      html`<h2>${heading}</h2>
        <ul class="cards">
          ${pages.map(
            ({ path, title, summary }) =>
              html`<li><a href="${path}">${title}</a><br /><span>${summary}</span></li>`,
          )}
        </ul>`,
  )}`;
}
