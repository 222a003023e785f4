/** Finished HTML. */
export interface Html {
  html: string;
}

/** Text becomes text, whatever it looks like; only what was made here is taken as it is. */
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
