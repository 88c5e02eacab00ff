/** A fenced block of a document in Markdown. */
export interface FencedBlock {
  /** Empty if the block names none. */
  language: string;
  /** The lines without the indentation of the block. */
  code: string;
  /** The line of the document on which the code begins, from 1. */
  line: number;
  /** The text of the comment before the block; undefined without one. */
  comment: string | undefined;
}

const BLOCK = /(?:^ *<!-- (.*) -->\n\n?)?^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;

/** All fenced blocks, in the order of the text, also those in lists. */
export const blocksIn = (markdown: string): FencedBlock[] =>
  [...markdown.matchAll(BLOCK)].map(
    ({ index, 0: whole, 1: comment, 2: indent = '', 3: language = '', 4: code = '' }) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: markdown.slice(0, index + whole.lastIndexOf(`\`\`\`${language}\n${code}`)).split('\n').length + 1,
      comment,
    }),
  );

/** The code of all fenced blocks that name this language, in the order of the text. */
export const fencedBlocks = (markdown: string, language: string): string[] =>
  blocksIn(markdown)
    .filter((block) => block.language === language)
    .map(({ code }) => code);
