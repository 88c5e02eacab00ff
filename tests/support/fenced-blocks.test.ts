import { blocksIn, fencedBlocks } from './fenced-blocks.ts';

const text = `# Title

<!-- way first: add -->

\`\`\`sh
one
  two
\`\`\`

1. In a list:

   <!-- way first: scrape -->
   \`\`\`sh
   three
     four
   \`\`\`

\`\`\`
without a language
\`\`\`
<!-- of something else -->

\`\`\`yaml
five: 5
\`\`\`
`;

test('blocks have their language, code, line and the comment before them', () => {
  expect(blocksIn(text)).toEqual([
    { language: 'sh', code: 'one\n  two\n', line: 6, comment: 'way first: add' },
    { language: 'sh', code: 'three\n  four\n', line: 14, comment: 'way first: scrape' },
    { language: '', code: 'without a language\n', line: 19, comment: undefined },
    { language: 'yaml', code: 'five: 5\n', line: 24, comment: 'of something else' },
  ]);
  const lines = text.split('\n');
  for (const { code, line } of blocksIn(text)) expect(lines[line - 1]?.trim()).toBe(code.split('\n')[0]);
});

test('blocks of one language', () => {
  expect(fencedBlocks(text, 'sh')).toEqual(['one\n  two\n', 'three\n  four\n']);
  expect(fencedBlocks(text, 'hcl')).toEqual([]);
});
