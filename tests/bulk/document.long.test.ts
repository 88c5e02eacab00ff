/** The examples of docs/bulk.md, run as they stand there. */
import { fileURLToPath } from 'node:url';
import { openDocument } from './documented.ts';

let document: Awaited<ReturnType<typeof openDocument>>;
beforeAll(async () => (document = await openDocument('bulk.md', 'Admin')));
afterAll(() => document.close());

test('every example does what it says', async () => {
  const { folder, examples } = document;
  const blocks = examples.map((code) =>
    code.replaceAll('.data/', `${folder}/`).replaceAll(/\b(?:inventory|refused)\.ndjson/g, `${folder}/$&`),
  );
  expect(blocks).toHaveLength(9);
  const output = await document.bash(blocks.join('\n'), fileURLToPath(new URL('../../', import.meta.url)));
  // The five operations, the two declared ones, the two atomic ones, and what was exported of them.
  expect(output.match(/"status":20[01]/g)).toHaveLength(9);
  expect(output.match(/"outcome":"added"/g)).toHaveLength(2);
  expect(output).toContain('"team":"shop"');
  expect(output).toContain('{"kind":"end","complete":true}');
  expect(output).toContain('"dry_run":true,"added":0,"changed":0,"unchanged":8,"refused":0');
  expect(output).toContain('Would be: 0 added, 0 changed, 8 unchanged, 0 refused.');
  expect(output).toMatch(/\n0 added, 0 changed, 8 unchanged, 0 refused\.\n/);
  expect(output).not.toContain('"error"');
});
