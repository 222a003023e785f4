/**
 * An oxlint plugin: a comment tells subject, verb and reason to somebody who has not read the code, so none of its sentences begins with
 * a word that leaves the subject out ("Whether it is open": write "True if it is open").
 */
const withoutSubject = /(?:^|[.!?:;]\s+)((?:What|Whether|Those|Whoever|Of)\b)/;

/** Words of people and machines that are quoted are no sentences of ours. */
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
