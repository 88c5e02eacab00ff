/** A program that aborts a call at SIGUSR2, and ends when nothing is left to wait for: `abort.ts URL fetch|node call|feed`. */
import { followChanges } from '../../clients/typescript/src/flows.ts';
import { createClient, getNode } from '../../clients/typescript/src/index.ts';
import { nodeFetch } from '../../clients/typescript/src/node.ts';

const [url = '', transport, what] = process.argv.slice(2);
const controller = new AbortController();
const reason = new Error('enough');
process.once('SIGUSR2', () => controller.abort(reason));
const client = createClient({
  url,
  key: 'minv_x',
  // Longer than the test waits for the end.
  timeout: 600_000,
  onRetry: () => process.stdout.write('waiting\n'),
  ...(transport === 'node' ? { fetch: nodeFetch({}) } : {}),
});
const { signal } = controller;
const call =
  what === 'feed'
    ? followChanges(client, { since: 'x', signal }).next()
    : getNode(client, { node_id: 'x' }, { signal });
const error: unknown = await Promise.resolve(call).catch((caught: unknown) => caught);
const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
process.stdout.write(`${error === reason ? 'the reason' : String(error)}, ${timers.length} timers\n`);
