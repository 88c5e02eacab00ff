/** The code of all fenced blocks of a document in Markdown that name this language, in the order of the text. */
export const fencedBlocks = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(new RegExp(`^\`{3}${language}\\n([\\s\\S]*?)^\`{3}$`, 'gm'))].map(([, code = '']) => code);
