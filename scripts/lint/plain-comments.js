/**
 * An oxlint plugin that refuses comments in which a sentence begins with a word that leaves its subject out. A comment tells subject, verb
 * and reason to somebody who has not read the code: "True if it is open" instead of "Whether it is open".
 */
const withoutSubject = /(?:^|[.!?:;]\s+)((?:What|Whether|Those|Whoever|Of)\b)/;

/** Quoted words of people and machines are not our sentences. */
const quoted = /"[^"]*"|`[^`]*`|“[^”]*”/g;

export default {
  meta: { name: "plain-comments" },
  rules: {
    "begins-with-subject": {
      create(context) {
        return {
          Program() {
            for (const comment of context.sourceCode.getAllComments()) {
              const text = comment.value
                .replace(/^\s*\*/, "")
                .replaceAll(/\n\s*\*?/g, " ")
                .replaceAll(quoted, '""')
                .trim();
              const [, word] = withoutSubject.exec(text) ?? [];
              if (word !== undefined)
                context.report({
                  node: comment,
                  message: `A comment's sentence begins with "${word}": name its subject.`,
                });
            }
          },
        };
      },
    },
  },
};
