import { pass, untilQuiet } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';
import { indexState } from './index-state.tsx';
import { searchIndex } from './search-index.tsx';

/** The interval at which the index follows the changes of others. */
const FOLLOW_MS = 10_000;

const site = openSite();

beforeAll(async () => {
  // A hidden page does not follow changes.
  Object.defineProperty(document, 'hidden', { value: false, configurable: true });
  await site.addNode('first');
});
afterAll(() => Reflect.deleteProperty(document, 'hidden'));

const phase = () => indexState.get().phase;

const changesIn = (requests: readonly string[]) => requests.filter((path) => path.startsWith('GET /v1/changes'));

test("the index reads the inventory once, then others' changes every ten seconds", async () => {
  const network = await site.at('quick-start');
  expect(phase()).toBe('idle');
  searchIndex.start();
  await untilQuiet();
  expect(indexState.get()).toEqual({ phase: 'ready', count: 1, version: 0 });
  await site.addNode('second');
  const earlier = changesIn(network.requests).length;
  await pass(FOLLOW_MS - 2000);
  expect([changesIn(network.requests).length - earlier, indexState.get()]).toMatchObject([0, { count: 1 }]);
  await pass(4000);
  expect([changesIn(network.requests).length - earlier, indexState.get()]).toEqual([
    1,
    { phase: 'ready', count: 2, version: 1 },
  ]);
  expect(network.requests.filter((path) => path.startsWith('GET /v1/export'))).toHaveLength(1);
});

test('a failed read is reported with its reason and can be repeated', async () => {
  const network = await site.at('quick-start');
  network.refuseNext('GET /v1/export', 403, 'Not today.');
  searchIndex.start();
  await untilQuiet();
  expect(indexState.get()).toMatchObject({ phase: 'failed', failure: { status: 403, message: 'Not today.' } });
  searchIndex.start();
  await untilQuiet();
  expect(phase()).toBe('ready');
});

test("a read that the session's end stops is no failure", async () => {
  const network = await site.at('quick-start');
  const release = network.hold('GET /v1/export');
  searchIndex.start();
  await untilQuiet();
  expect(phase()).toBe('reading');
  const phases: string[] = [];
  const stopListening = indexState.subscribe(() => phases.push(phase()));
  searchIndex.forget();
  release();
  await untilQuiet();
  stopListening();
  expect(phases).toEqual(['idle']);
});

test('a later failed read keeps the index until the server replies', async () => {
  const network = await site.at('quick-start');
  searchIndex.start();
  await untilQuiet();
  const before = indexState.get();
  network.refuseNext('GET /v1/changes', 403, 'Not today.');
  await pass(FOLLOW_MS + 2000);
  expect(indexState.get()).toEqual(before);
  await site.addNode('third');
  await pass(FOLLOW_MS + 2000);
  expect(indexState.get()).toMatchObject({ phase: 'ready', version: 1 });
});

test('after expired changes the inventory is read again, without the objects that are gone', async () => {
  const { node_id: id } = await site.addNode('gone');
  const network = await site.at('quick-start');
  searchIndex.start();
  await untilQuiet();
  const before = indexState.get();
  await site.write('DELETE', `/v1/nodes/${id}`);
  network.refuseNext('GET /v1/changes', 410, 'These changes are gone.');
  await pass(FOLLOW_MS + 2000);
  expect(indexState.get()).toEqual({ ...before, count: ('count' in before ? before.count : 0) - 1 });
  expect(network.requests.filter((path) => path.startsWith('GET /v1/export'))).toHaveLength(2);
});
