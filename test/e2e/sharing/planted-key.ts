import type { Frame, Page } from "@playwright/test";

/** A key that reads differently in an address, in base64 and in HTML. */
export const plantedKey = "Planted+Key/9f=Z&Q7~x";

const inBase64 = [0, 1, 2].map((offset) =>
  // Base64 makes four letters of three bytes: depending on the number of bytes before the key, one of three letter rows is in the text.
  Buffer.concat([Buffer.alloc(offset), Buffer.from(plantedKey)])
    .toString("base64")
    .slice(offset === 0 ? 0 : 4, -4),
);

/** The forms that give the key away, parts included. The pane itself shows the last four characters of the key. */
const forms = [
  plantedKey.slice(0, 8),
  plantedKey.slice(-8),
  encodeURIComponent(plantedKey).slice(0, 12),
  plantedKey.slice(-8).replaceAll("&", "&amp;"),
  Buffer.from(plantedKey).toString("hex").slice(0, 16),
  ...inBase64,
  ...inBase64.map((letters) => letters.replaceAll("+", "-").replaceAll("/", "_")),
];

/** The piece of a text that holds the key; null if there is none. */
export function keyIn(text: string): string | null {
  const at = forms.map((form) => text.toLowerCase().indexOf(form.toLowerCase())).find((place) => place >= 0);
  return at === undefined ? null : text.slice(Math.max(0, at - 60), at + 60);
}

/** Everything that a page shows or hides: its markup with every attribute, and the contents of its fields. */
export async function markupOf(page: Page): Promise<string> {
  const texts = await Promise.all(page.frames().map(markupOfFrame));
  return texts.join("\n");
}

function markupOfFrame(frame: Frame): Promise<string> {
  return frame.evaluate(() => {
    const fields = [...document.querySelectorAll("input, textarea, select")] as HTMLInputElement[];
    return [
      document.documentElement.outerHTML,
      document.title,
      location.href,
      window.name,
      JSON.stringify(history.state),
      ...fields.map(({ value }) => value),
    ].join("\n");
  });
}

/** Everything that the browser stores for a page's origins: for each item its place and content. */
export async function storedBy(page: Page): Promise<[place: string, content: string][]> {
  const inFrames = await Promise.all(page.frames().map(storedByFrame));
  const { cookies, origins } = await page.context().storageState();
  return [
    ...inFrames.flat(),
    ...origins.flatMap(({ origin, localStorage }) =>
      localStorage.map(({ name, value }): [string, string] => [`localStorage ${name}`, `${value} ${origin}`]),
    ),
    ["cookies", JSON.stringify(cookies)],
  ];
}

function storedByFrame(frame: Frame): Promise<[string, string][]> {
  return frame.evaluate(async () => {
    const found: [string, string][] = [];
    for (const [name, value] of Object.entries({ ...localStorage }))
      found.push([`localStorage ${name}`, value]);
    for (const [name, value] of Object.entries({ ...sessionStorage }))
      found.push([`sessionStorage ${name}`, value]);
    found.push(["document.cookie", document.cookie]);
    const settled = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("not read"));
      });
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const records = database.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([settled(records.getAllKeys()), settled(records.getAll())]);
        const text = JSON.stringify([keys, values], (_, value: unknown) =>
          value instanceof Uint8Array ? new TextDecoder("latin1").decode(value) : value,
        );
        found.push([`IndexedDB ${name} ${store}`, text]);
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        found.push([`cache ${name} ${request.url}`, (await answer?.text()) ?? ""]);
      }
    }
    return found;
  });
}
