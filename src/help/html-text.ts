/** Finished HTML. */
export interface Html {
  html: string;
}

/** Text is escaped, whatever it looks like. Only `Html` values are inserted as they are. */
export function html(
  strings: TemplateStringsArray,
  ...parts: readonly (string | Html | readonly (string | Html)[])[]
): Html {
  const made = (part: (typeof parts)[number] = ""): string => {
    if (typeof part === "string") return escaped(part);
    return "html" in part ? part.html : part.map(made).join("\n");
  };
  return { html: strings.map((string, place) => string + made(parts[place])).join("") };
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
