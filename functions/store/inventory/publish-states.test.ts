import { inFull } from '../../../shared/testing/extent.ts';
import fc from '../../../shared/testing/fast-check.ts';
import { checkInvariants, wipe } from '../../../tests/consistency/invariants.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, contextOf, node, pmmAgent } from '../../../tests/support/store.ts';
import { disturbed, withSend } from '../../../tests/support/table.ts';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { type EntityOf, idOf } from '../entities/entity.ts';
import { readHeartbeat } from '../heartbeats/heartbeat.ts';
import { stateOfNode } from '../heartbeats/shown-state.ts';
import { takeAllWithoutNews } from '../heartbeats/relayed-reports.ts';
import { addSilence, removeSilence } from '../silences/change-silences.ts';
import { readFeed } from '../history/change-feed.ts';
import { forgetFeedTime } from '../history/feed-time.ts';
import { forcedRemoval } from '../../../tests/support/state-events.ts';
import { type PassLimits, publishStates } from './publish-states.ts';
import { TEST_TIME } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
afterEach(async () => {
  expect(await checkInvariants(table)).toEqual([]);
  await wipe(table);
  forgetFeedTime(table);
});

const START = TEST_TIME;
const MINUTE = 60_000;

/** A time in minutes after the begin. */
const at = (minutes: number) => new Date(START + minutes * MINUTE);

const timers = { stale_after: '10m', offline_after: '30m' };

async function addHost(more: object = {}): Promise<{ host: EntityOf<'node'>; process: EntityOf<'agent'>; id: string }> {
  const host = node({ ...timers, ...more });
  const process = pmmAgent(host);
  await addAll(table, host, process);
  return { host, process, id: idOf(host) };
}

const report = (process: EntityOf<'agent'>, now: Date) => reportOf(table, process, now);

interface Run {
  of?: Table;
  after?: string | undefined;
  limits?: PassLimits;
  isLate?: () => boolean;
}

const pass = (now: Date, { of = table, after, limits, isLate = () => false }: Run = {}) =>
  publishStates(of, {
    writeContext: contextOf({ clock: () => now }),
    after,
    isLate,
    ...(limits === undefined ? {} : { limits }),
  });

/** The published changes of states, in the order of the feed. */
async function published(now: Date): Promise<[id: string, from: unknown, to: unknown][]> {
  const { changes } = await readFeed(table, undefined, {
    most: 1000,
    now: new Date(now.getTime() + 12 * 3_600_000),
    contents: { objects: false, states: true },
  });
  return changes.map(({ id, before, after }) => [id, before?.['state'], after?.['state']]);
}

test('a node that becomes stale, offline and live again is published at each change, once', async () => {
  const { process, id } = await addHost();
  await report(process, at(0));
  const seen: unknown[] = [];
  for (const minutes of [1, 9, 10, 12, 29, 30, 31, 500]) {
    await pass(at(minutes));
    seen.push((await published(at(minutes))).map(([, , to]) => to));
  }
  const stale = ['stale'];
  const offline = ['stale', 'offline'];
  expect(seen).toEqual([[], [], stale, stale, stale, offline, offline, offline]);
  await report(process, at(501));
  expect((await pass(at(502))).published).toEqual({ live: 1, stale: 0, offline: 0 });
  expect(await published(at(502))).toEqual([
    [id, 'live', 'stale'],
    [id, 'stale', 'offline'],
    [id, 'offline', 'live'],
  ]);
});

test('a record contains the node, its last report, and the service as its actor', async () => {
  const { host, process, id } = await addHost({ node_name: 'web-1' });
  await report(process, at(0));
  await pass(at(11));
  const { changes } = await readFeed(table, undefined, {
    most: 10,
    now: at(12),
    contents: { objects: false, states: true },
  });
  expect(changes).toEqual([
    {
      change_id: expect.stringMatching(/^[0-9a-z]{18}$/),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: { kind: 'system', id: 'test', name: 'test' },
      request_id: 'r',
      kind: 'state',
      id,
      action: 'changed',
      revision: host.object.revision,
      before: { state: 'live' },
      after: { state: 'stale', node_name: 'web-1', reported_at: at(0).toISOString() },
    },
  ]);
});

test('the first report of a node, and a node that never reported, make no event', async () => {
  const { process } = await addHost();
  await addHost();
  await pass(at(0));
  await report(process, at(1));
  await pass(at(2));
  expect(await published(at(2))).toEqual([]);
});

test('a silenced node makes no event, and after the silence its present state is published', async () => {
  const [silent, loud] = [await addHost({ custom_labels: { rack: '1' } }), await addHost()];
  const silence = (rack: string, now: Date, minutes: number) =>
    addSilence(
      table,
      { selector: `rack=${rack}`, reason: 'Upgrade', expires_at: Math.ceil(now.getTime() / 1000) + minutes * 60 },
      contextOf({ sourceIp: '127.0.0.1', clock: () => now, now }),
    );
  for (const { process } of [silent, loud]) await report(process, at(0));
  await silence('1', at(5), 20);
  await pass(at(11));
  expect(await published(at(11))).toEqual([[loud.id, 'live', 'stale']]);
  await pass(at(26));
  expect((await published(at(26))).slice(1)).toEqual([[silent.id, 'live', 'stale']]);
  const { silence_id: id } = await silence('1', at(27), 60);
  await pass(at(31));
  expect((await published(at(31))).slice(2)).toEqual([[loud.id, 'stale', 'offline']]);
  await removeSilence(table, id, contextOf({ sourceIp: '127.0.0.1', clock: () => at(32), now: at(32) }));
  await pass(at(32));
  expect((await published(at(32))).slice(3)).toEqual([[silent.id, 'stale', 'offline']]);
});

test('each node has its own timers', async () => {
  const [fast, slow] = [await addHost({ stale_after: '1m', offline_after: '2m' }), await addHost()];
  for (const { process } of [fast, slow]) await report(process, at(0));
  await pass(at(3));
  expect(await published(at(3))).toEqual([[fast.id, 'live', 'offline']]);
});

test('a node with two agent processes is stale when both are', async () => {
  const { host, process } = await addHost();
  const second = pmmAgent(host);
  await addAll(table, second);
  await report(process, at(0));
  await report(second, at(5));
  await pass(at(11));
  expect(await published(at(11))).toEqual([]);
  await pass(at(16));
  expect(await published(at(16))).toEqual([[idOf(host), 'live', 'stale']]);
});

test('simultaneous passes publish each change once', async () => {
  const hosts = await Promise.all(Array.from({ length: 12 }, () => addHost()));
  for (const { process } of hosts) await report(process, at(0));
  const passes = await Promise.all([pass(at(11)), pass(at(11)), pass(at(11))]);
  expect(passes.flatMap(({ failed }) => failed)).toEqual([]);
  expect(passes.reduce((sum, pass) => sum + pass.published.stale, 0)).toBe(12);
  expect((await published(at(11))).map(([id]) => id).sort()).toEqual(hosts.map(({ id }) => id).sort());
});

test('a report that arrives between the read and the write prevents the event', async () => {
  const { process } = await addHost();
  await report(process, at(0));
  const of = disturbed(table, () => report(process, at(11)));
  await pass(at(11), { of });
  expect(await published(at(11))).toEqual([]);
});

test('a node that is removed between the read and the write has no event', async () => {
  const { process, id } = await addHost();
  await report(process, at(0));
  const of = disturbed(table, () => forcedRemoval(table, id));
  expect(await pass(at(11), { of })).toMatchObject({ published: { stale: 0 }, failed: [] });
  expect(await published(at(11))).toEqual([]);
});

test('a lost reply does not publish an event again', async () => {
  const { process, id } = await addHost();
  await report(process, at(0));
  let losses = 1;
  const send = async (command: object) => {
    const reply = await table.client.send(command as never);
    if (command instanceof TransactWriteCommand && losses-- > 0) throw new Error('the reply was lost');
    return reply;
  };
  const of = withSend(table, send);
  expect(await pass(at(11), { of })).toMatchObject({ failed: [{ nodeId: id }] });
  await pass(at(12));
  expect(await published(at(12))).toEqual([[id, 'live', 'stale']]);
});

/** Hosts whose reports a relay brought in one group, the last one after some minutes. */
async function groupedHosts(count: number, minutes: number): Promise<{ id: string; process: EntityOf<'agent'> }[]> {
  const hosts = await Promise.all(Array.from({ length: count }, () => addHost()));
  for (const { process } of hosts) await report(process, at(0));
  const reports = hosts.map(({ process }) => ({ pmm_agent_id: idOf(process), agents: [] }));
  for (const now of [at(1), at(minutes)]) expect((await takeAllWithoutNews(table, reports, now)).size).toBe(count);
  const heartbeats = await Promise.all(hosts.map(({ id }) => readHeartbeat(table, id)));
  expect(heartbeats.map((heartbeat) => heartbeat?.group?.heartbeatAt)).toEqual(hosts.map(() => at(0).getTime()));
  return hosts;
}

test("grouped hosts are stale by the group's last report, and each is published once", async () => {
  const ids = (await groupedHosts(9, 7)).map(({ id }) => id);
  expect((await pass(at(16))).published).toEqual({ live: 0, stale: 0, offline: 0 });
  expect(await pass(at(17))).toMatchObject({ published: { live: 0, stale: ids.length, offline: 0 }, failed: [] });
  await pass(at(18));
  const changes = await published(at(18));
  expect(changes.map(([id]) => id).sort()).toEqual([...ids].sort());
});

test('hosts that could not leave their group together leave it one by one, and are published', async () => {
  const hosts = await groupedHosts(9, 7);
  let failures = 1;
  const send = async (command: object) => {
    if (command instanceof TransactWriteCommand && failures-- > 0) throw new Error('the table is away');
    return table.client.send(command as never);
  };
  const of = withSend(table, send);
  expect(await pass(at(17), { of })).toMatchObject({ published: { stale: hosts.length }, failed: [] });
  expect(failures).toBeLessThan(0);
  // The next report of one of them is its own again.
  await report(hosts[0]!.process, at(18));
  expect((await pass(at(19))).published).toEqual({ live: 1, stale: 0, offline: 0 });
});

test('a pass with a limit continues the former one, and reads every node once', async () => {
  const hosts = await Promise.all(Array.from({ length: 60 }, () => addHost()));
  for (const { process } of hosts) await report(process, at(0));
  const limits = { perPartition: 2, heartbeats: 1 };
  let after: string | undefined;
  let passes = 0;
  let read = 0;
  do {
    const passed = await pass(at(11), { after, limits });
    after = passed.next;
    read += passed.read;
    passes += 1;
  } while (after !== undefined);
  expect(passes).toBeGreaterThan(3);
  expect(read).toBe(60);
  expect((await published(at(11))).map(([id]) => id).sort()).toEqual(hosts.map(({ id }) => id).sort());
});

test('a pass without time leaves the rest of a range to the next one', async () => {
  const hosts = await Promise.all(Array.from({ length: 30 }, () => addHost()));
  for (const { process } of hosts) await report(process, at(0));
  let calls = 0;
  const first = await pass(at(11), { isLate: () => (calls += 1) > 10 });
  // The range is not read: the next pass begins with it.
  expect([first.next, first.read]).toEqual([undefined, 0]);
  const before = first.published.stale;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(30);
  const second = await pass(at(11));
  expect(before + second.published.stale).toBe(30);
});

test("an event follows its node's add and precedes its removal, whatever the clocks", async () => {
  const { process, id } = await addHost({ stale_after: '10s', offline_after: '20s' });
  await report(process, at(-60));
  // The clock of the pass is an hour behind that of the add.
  forgetFeedTime(table);
  await pass(at(-59));
  forgetFeedTime(table);
  await forcedRemoval(table, id, at(-120));
  const { changes } = await readFeed(table, undefined, {
    most: 100,
    now: at(720),
    contents: { objects: true, states: true },
  });
  const ofNode = changes.filter((change) => change.id === id).map(({ kind, action }) => `${kind} ${action}`);
  expect(ofNode).toEqual(['node added', 'state changed', 'node removed']);
});

/** What can happen to a few nodes; `node` is the number of one of them. */
type Step =
  | { do: 'wait'; minutes: number }
  | { do: 'report' | 'remove'; node: number }
  | { do: 'pass'; at_once: number; cut: boolean };

const aNode = fc.nat({ max: 2 });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  // A negative number sets the clock back.
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: -5, max: 35 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('report' as const), node: aNode }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), node: aNode }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      at_once: fc.integer({ min: 1, max: 3 }),
      cut: fc.boolean(),
    }),
  },
);

test('the events of a node lead without a gap to its present state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 14 }), async (steps) => {
      const hosts = [await addHost(), await addHost({ stale_after: '1m', offline_after: '15m' }), await addHost()];
      const removed = new Set<string>();
      let minutes = 0;
      for (const step of steps) {
        if (step.do === 'wait') minutes += step.minutes;
        else if (step.do === 'pass')
          await Promise.all(
            Array.from({ length: step.at_once }, () => {
              let calls = 0;
              return pass(at(minutes), { isLate: () => step.cut && (calls += 1) > 1 });
            }),
          );
        else {
          const { process, id } = hosts[step.node]!;
          if (removed.has(id)) continue;
          if (step.do === 'report') await report(process, at(minutes));
          else {
            await forcedRemoval(table, id, at(minutes));
            removed.add(id);
          }
        }
      }
      await pass(at(minutes));
      const last = new Map<string, unknown>();
      for (const [id, from, to] of await published(at(minutes))) {
        expect([id, from]).toEqual([id, last.get(id) ?? 'live']);
        expect(to).not.toBe(from);
        last.set(id, to);
      }
      for (const { id } of hosts) {
        if (removed.has(id)) continue;
        const state = stateOfNode((await readHeartbeat(table, id))!, at(minutes));
        expect([id, state === 'never_seen' ? 'live' : state]).toEqual([id, last.get(id) ?? 'live']);
      }
      expect(await checkInvariants(table)).toEqual([]);
      await wipe(table);
      forgetFeedTime(table);
    }),
    { numRuns: inFull(40, 10) },
  );
});
