import { commandCall, type SentRequest } from '../../../../../tests/support/command-call.ts';
import type { Progress } from '../progress-file.ts';
import { importFile } from './import-lines.ts';

const line = (id: string) => `{"kind":"node","object":{"node_id":"${id}"}}`;

const details = [
  { field: '7.object.address', message: 'Wrong.' },
  { field: 'az', message: 'Too long.' },
];

const results: Record<string, object> = {
  added: { outcome: 'added' },
  changed: { outcome: 'changed' },
  unchanged: { outcome: 'unchanged' },
  fields: { outcome: 'refused', error: { message: 'No.', details } },
  plain: { outcome: 'refused', error: { message: 'No.', details: [] } },
  silent: { outcome: 'refused' },
};

/** Imports lines, each with the result that its id names. */
async function imported(text: string, stored?: Progress['stored'], dryRun = false) {
  const states: unknown[] = [];
  const call = commandCall({
    answer: ({ body }: SentRequest) => ({
      results: body.map(({ kind, object: { node_id: id } }: any) => ({ kind, id, ...results[id] })),
    }),
  });
  const progress: Progress = { stored, store: (state) => states.push(state), finish: () => undefined };
  const report = await importFile(await call.connect(), text, dryRun, progress);
  return { ...report, states, sent: call.sent };
}

const none = { added: 0, changed: 0, unchanged: 0, refused: 0 };

test('counts outcomes, and names refused lines with numbers and invalid fields', async () => {
  const ids = ['added', 'changed', 'changed', 'unchanged', 'fields', 'plain', 'silent'];
  const { totals, failures } = await imported(`\n${ids.map(line).join('\n')}\n{"kind":"end"}\n`);
  expect(totals).toEqual({ added: 1, changed: 2, unchanged: 1, refused: 3 });
  expect(failures).toEqual([
    { line: 6, text: line('fields'), kind: 'node', id: 'fields', message: 'address: Wrong. az: Too long.' },
    { line: 7, text: line('plain'), kind: 'node', id: 'plain', message: 'No.' },
    { line: 8, text: line('silent'), kind: 'node', id: 'silent', message: 'refused' },
  ]);
});

test.each(['{', '[]', 'null', '{"kind":1}', '{}'])('the line %s stops the import before a request', async (text) => {
  await expect(imported(`${line('added')}\n\n${text}`)).rejects.toMatchObject({
    message: 'Line 3 is not a line of an inventory.',
    exit: 'usage',
  });
});

test('a first line without an object is that of a CSV file with another extension', async () => {
  await expect(imported('name;type;address\n')).rejects.toMatchObject({
    message: 'Line 1 is not a line of an inventory. The name of a file in CSV ends with .csv.',
  });
});

test('an import continues after finished lines, with their totals and failures', async () => {
  const stored = {
    ...{ done: 2, totals: { ...none, added: 1, refused: 1 } },
    failures: [{ line: 2, kind: 'node', id: 'plain', message: 'No.' }],
  };
  const text = ['added', 'plain', 'changed', 'silent'].map(line).join('\n');
  const { totals, failures, states, sent } = await imported(text, stored);
  expect(sent[0]?.body).toHaveLength(2);
  expect(totals).toEqual({ ...none, added: 1, changed: 1, refused: 2 });
  expect(failures.map((failure) => [failure.line, failure.text])).toEqual([
    [2, line('plain')],
    [4, line('silent')],
  ]);
  expect(states).toEqual([
    {
      ...{ done: 4, totals },
      failures: [...stored.failures, { line: 4, kind: 'node', id: 'silent', message: 'refused' }],
    },
  ]);
});

test.each([
  { done: -1, totals: none, failures: [] },
  { done: 1, totals: { ...none, refused: 'x' }, failures: [] },
  { done: 1, totals: { added: 0, changed: 0, unchanged: 0 }, failures: [] },
  { done: 1, totals: none, failures: [{}] },
  { done: 1, totals: none },
])('with the progress %j the import begins again', async (stored) => {
  const { totals, sent } = await imported(`${line('added')}\n${line('changed')}`, stored);
  expect([sent[0]?.body.length, totals]).toEqual([2, { ...none, added: 1, changed: 1 }]);
});
