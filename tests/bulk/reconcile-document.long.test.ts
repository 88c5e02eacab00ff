/** The examples of docs/reconcile.md, run as they stand there. */
import { openDocument } from './documented.ts';

let document: Awaited<ReturnType<typeof openDocument>>;
beforeAll(async () => (document = await openDocument('reconcile.md', 'Editor')));
afterAll(() => document.close());

test('every example does what it says', async () => {
  const { folder, examples, text } = document;
  expect(examples).toHaveLength(7);
  const output = await document.bash(examples.join('\n'), folder);
  const replies = output
    .trim()
    .split('\n')
    .map((line): any => JSON.parse(line));
  const done = (total: number) => ({ state: 'done', progress: { total, done: total, failed: 0 } });
  expect(replies).toMatchObject([
    { state: 'planned', add: 4, in_scope: 0 },
    { ...done(4), add: 4 },
    { ...done(0), items: [], unchanged: 4 },
    { state: 'planned', add: 3, change: 1, remove: 3, progress: { total: 7 } },
    { ...done(7), plan_id: expect.any(String) },
    // The review is in a file.
    { ...done(7), add: 3, change: 1, remove: 3 },
    { ...done(7), failures: [] },
    // What is done stays done.
    done(7),
  ]);
  // What the document shows of the plan is in it.
  const shown = [...text.matchAll(/^\{ "action": [\s\S]*?\}$/gm)].map(([item]) => JSON.parse(item));
  expect(shown).toHaveLength(3);
  for (const { id: _, ...item } of shown) expect(replies[3].items).toContainEqual(expect.objectContaining(item));
});
