/**
 * A clock that steps forwards and backwards, with and without a restart: a follower misses nothing and gets nothing
 * twice.
 */
import { addNode } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { forgetFeedTime } from '../../../store/history/feed-time.ts';
import { TEST_TIME } from '../../../../tests/support/test-time.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(() => inventory.stop());

const SECOND = 1000;
const HOUR = 3600 * SECOND;

interface Follower {
  cursor: string | undefined;
  seen: string[];
}

const newFollower = (): Follower => ({ cursor: undefined, seen: [] });

async function catchUp(follower: Follower): Promise<void> {
  for (;;) {
    const since = follower.cursor === undefined ? '' : `?since=${follower.cursor}`;
    const { status, body } = await inventory.request('GET', `/v1/changes${since}`);
    expect(status).toBe(200);
    follower.seen.push(...body.changes.map(({ id }: { id: string }) => id));
    follower.cursor = body.next;
    if (!body.more) return;
  }
}

/** Sets the clock to an offset from the start. */
const turnTo = (start: number, offset: number) => (inventory.clock.now = new Date(start + offset));

/** A new process knows no feed time. */
const restart = () => forgetFeedTime(inventory.table);

test.each([
  [2 * SECOND, false],
  [25 * SECOND, true],
  [60 * SECOND, false],
  [2 * HOUR, false],
  [2 * HOUR, true],
])('back by %d ms, after a restart: %s', async (step, restarts) => {
  const start = TEST_TIME;
  const often = newFollower();
  const seldom = newFollower();
  const added: string[] = [];
  const add = async () => added.push((await addNode(inventory)).node_id);
  turnTo(start, 0);
  await add();
  await catchUp(seldom);
  turnTo(start, 40 * SECOND);
  await add();
  turnTo(start, 80 * SECOND);
  await catchUp(often);
  if (restarts) restart();
  for (let second = 0; second < 5; second += 1) {
    turnTo(start, 80 * SECOND - step + second * SECOND);
    await add();
    if (second % 2 === 0) await catchUp(often);
    if (second === 2 && restarts) restart();
  }
  await catchUp(often);
  await catchUp(seldom);
  expect([often.seen, seldom.seen]).toEqual([added, added]);
});

test('a follower misses no change when the clock is set ahead and back around a restart', async () => {
  const start = TEST_TIME;
  const follower = newFollower();
  const late = newFollower();
  turnTo(start, 0);
  const first = await addNode(inventory);
  turnTo(start, HOUR);
  await catchUp(follower);
  late.cursor = (await inventory.request('GET', '/v1/changes?since=now')).body.next;
  restart();
  turnTo(start, SECOND);
  const second = await addNode(inventory);
  await catchUp(follower);
  await catchUp(late);
  expect(follower.seen).toEqual([first.node_id, second.node_id]);
  expect(late.seen).toEqual([second.node_id]);
});

test('while the clock is behind, the order of changes becomes final with passing time, so that followers do not wait', async () => {
  const start = TEST_TIME;
  turnTo(start, 2 * HOUR);
  await addNode(inventory);
  restart();
  turnTo(start, 0);
  const before = await inventory.request('GET', '/v1/changes');
  const [change] = before.body.changes;
  const { node_id: id } = await addNode(inventory);
  const { body } = await inventory.request('GET', `/v1/changes?since=${before.body.next}`);
  // Later than the previous change, rather than the time of the clock.
  expect(body.changes).toMatchObject([{ id }]);
  expect(Date.parse(body.changes[0].time)).toBeGreaterThan(Date.parse(change.time));
  expect(Date.parse(body.changes[0].time)).toBeLessThan(start + 3 * HOUR);
});
