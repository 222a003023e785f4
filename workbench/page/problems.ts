export interface Problems {
  readonly list: readonly string[];
  report(problem: string): void;
  forget(): void;
}

/** Nothing unknown passes in silence: it goes to the console and to a list in the title bar. */
export function createProblems(details: HTMLElement): Problems {
  const list: string[] = [];
  return {
    list,
    report(problem) {
      console.error(problem);
      list.push(problem);
      const item = document.createElement("li");
      item.textContent = problem;
      details.querySelector("ul")!.append(item);
      details.querySelector("summary")!.textContent =
        list.length === 1 ? "1 problem" : `${list.length} problems`;
      details.hidden = false;
    },
    forget() {
      list.length = 0;
      details.querySelector("ul")!.replaceChildren();
      details.hidden = true;
    },
  };
}
