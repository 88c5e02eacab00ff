import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './cleanup.ts';

const removed = { node_id: 'n1', node_name: 'db-1', due_since: 'd1', last_seen: 's1', removal_id: 'r1' };
const kept = { node_id: 'n2', node_name: 'db-2', due_since: 'd2', reason: 'in use' };

/** The exit, the table and the requests of a clean-up with these replies. */
async function cleanUp(options: object, ...replies: object[]) {
  const pages = replies.map((reply) => ({ removed: [], kept: [], threshold_exceeded: false, ...reply }));
  const call = commandCall({ options: { ...options }, answer: () => pages.shift() });
  const exit = await run(call);
  return { exit, out: call.out(), sent: call.sent.map(({ method, path, body }) => [`${method} ${path}`, body]) };
}

test('lists the removed and the kept nodes of all pages', async () => {
  const { exit, out, sent } = await cleanUp(
    { maxRemovals: '30%' },
    { removed: [removed], next_page_token: 'p' },
    { kept: [kept] },
  );
  expect(out.split('\n').map((line) => line.split(/ {3,}/))).toEqual([
    ['NODE_NAME', 'RESULT', 'DUE_SINCE', 'LAST_SEEN', 'REMOVAL_ID'],
    ['db-1', 'removed', 'd1', 's1', 'r1'],
    ['db-2', 'in use', 'd2', '-', '-'],
    [''],
  ]);
  expect(sent).toEqual([
    ['POST /v1/cleanup', { dry_run: false, max_removals_percent: 30 }],
    ['POST /v1/cleanup', { dry_run: false, max_removals_percent: 30, page_token: 'p' }],
  ]);
  expect(exit).toBeUndefined();
});

test('a dry run says so to the server', async () => {
  expect((await cleanUp({ dryRun: true }, {})).sent).toEqual([['POST /v1/cleanup', { dry_run: true }]]);
});

test('a cleanup that the safety threshold stops on its last page is partial', async () => {
  expect((await cleanUp({}, { threshold_exceeded: true })).exit).toBe('partial');
});
