import { manualClock } from '../../tests/support/manual-clock.ts';
import { Feed } from './feed.ts';
import { Inventory, type InventoryReply } from './inventory.ts';

const page = (ids: readonly string[], next: string, more = false): InventoryReply => ({
  status: 200,
  body: { changes: ids.map((id) => ({ kind: 'agent', id, action: 'changed' })), next, more },
});

/** A feed of an inventory that answers the cursor of each request by `reply`. */
function follow(reply: (since: string, turn: number) => InventoryReply) {
  const asked: string[] = [];
  const events: string[] = [];
  const inventory = new Inventory(({ path }) => {
    const since = new URL(path, 'http://x').searchParams.get('since') ?? '';
    asked.push(since);
    return Promise.resolve(reply(since, asked.length));
  });
  const clock = manualClock();
  const feed = new Feed({
    inventory,
    onChanges: (changes) => events.push(...changes.map(({ id }) => id)),
    onGap: () => events.push('gap'),
    onFailure: () => events.push('failure'),
    readMs: 1000,
    monotonic: clock,
  });
  return { asked, events, feed, clock };
}

test('begins at the present, and delivers each page once, also after a failure', async () => {
  const { asked, events, feed, clock } = follow((since, turn) => {
    if (since === 'now') return page([], '1');
    if (turn === 2) return { status: 503, body: {} };
    if (since === '1') return page(['a', 'b'], '2', true);
    return since === '2' ? page(['c'], '3') : page([], since);
  });
  await Promise.all([feed.start(), feed.start()]);
  // The pause after a failure is twice as long.
  await clock.pass(1000 + 2000);
  feed.stop();
  await clock.pass(60_000);
  expect(events).toEqual(['failure', 'a', 'b', 'c']);
  expect(asked).toEqual(['now', '1', '1', '2']);
});

test('an old cursor is a gap, after which it continues at the present', async () => {
  const { events, feed, clock } = follow((since, turn) => {
    if (since === 'now') return page([], turn === 1 ? 'old' : 'new');
    return since === 'old' ? { status: 410, body: { message: 'Gone.' } } : page(['a'], 'newer');
  });
  await feed.start();
  await clock.pass(1000 + 2000);
  feed.stop();
  expect(events).toEqual(['gap', 'a']);
});

test('a feed that cannot begin reports that, and can begin later', async () => {
  const { feed } = follow((_, turn) => (turn === 1 ? { status: 503, body: {} } : page([], '1')));
  await expect(feed.start()).rejects.toMatchObject({ status: 503 });
  await feed.start();
  feed.stop();
});
