import { StaleRead } from '../../../shared/db/contention.ts';
import { transact } from '../../../shared/db/transact.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { itemAt } from '../../../tests/support/table.ts';
import type { Entity } from '../entities/entity.ts';
import { heartbeatKey } from '../table/keys.ts';
import { type Heartbeat, toHeartbeat } from './heartbeat.ts';
import {
  heartbeatChange,
  type HeartbeatChange,
  type HeartbeatChanges,
  heartbeatStep,
  noteHeartbeat,
  publishedStep,
  ConcurrentReport,
} from './heartbeat-update.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const NOW = new Date('2026-05-01T10:00:00Z');
const place = node();
const process = pmmAgent(place);

function noted(...changes: readonly (readonly [Entity | undefined, Entity | undefined])[]) {
  const all: HeartbeatChanges = new Map();
  for (const [before, after] of changes) noteHeartbeat(all, before, after);
  return [...all.values()];
}

const changedBy = <T extends Entity>(entity: T, more: object): T => ({
  ...entity,
  object: { ...entity.object, ...more },
});

describe('the heartbeat effect of a plan', () => {
  const empty = { nodeId: place.object.node_id, removed: false, come: new Set(), gone: new Set() };

  test('is one change for a node with its process', () => {
    const come = new Set([process.object.agent_id]);
    expect(noted([undefined, place], [undefined, process])).toEqual([{ ...empty, added: place.object, come }]);
    expect(noted([process, undefined], [place, undefined])).toEqual([{ ...empty, removed: true, gone: come }]);
  });

  test('of a node exists only for its timers or lifetime', () => {
    expect(noted([place, changedBy(place, { address: 'b' })])).toEqual([]);
    for (const more of [
      { lifetime: 'ephemeral' },
      { stale_after: '1m' },
      { offline_after: '1h' },
      { remove_after: '2d' },
    ]) {
      const changed = changedBy(place, more);
      expect(noted([place, changed])).toEqual([{ ...empty, changed: changed.object }]);
    }
  });

  test('exists for an absent timer that is set to its default, because the heartbeat may contain a former default', () => {
    const absent = node();
    const changed = changedBy(absent, { stale_after: '10m' });
    expect(noted([absent, changed])).toMatchObject([{ changed: changed.object }]);
  });

  test('is none for services, other agents and process changes', () => {
    const target = service([place]);
    const agent = exporter(process, [target]);
    expect(
      noted([undefined, target], [target, undefined], [undefined, agent], [agent, undefined], [process, process]),
    ).toEqual([]);
  });
});

describe('the published state', () => {
  /** A heartbeat whose process reported at NOW. */
  async function reported() {
    const host = node();
    const process = pmmAgent(host);
    await addAll(table, host, process);
    const report = (now: Date) => reportOf(table, process, now);
    await report(NOW);
    const read = async () => toHeartbeat((await itemAt(table, heartbeatKey(host.object.node_id)))!);
    return { host, report, read };
  }
  const publish = (heartbeat: Heartbeat, state: 'stale' | 'offline', at: number) =>
    transact(table, [publishedStep(heartbeat, { state, at })]).catch((error: unknown) => error);

  test('is stored once, and then replaced', async () => {
    const { read } = await reported();
    const before = await read();
    expect(await publish(before, 'stale', 1)).toBeUndefined();
    expect(await publish(before, 'stale', 2)).toBeInstanceOf(StaleRead);
    const after = await read();
    expect(after.published).toEqual({ state: 'stale', at: 1 });
    expect(await publish(after, 'offline', 3)).toBeUndefined();
    expect(await publish(after, 'offline', 4)).toBeInstanceOf(StaleRead);
    expect((await read()).published).toEqual({ state: 'offline', at: 3 });
  });

  test('is refused after a report, and after a change of a timer', async () => {
    const { host, report, read } = await reported();
    const before = await read();
    await report(new Date(NOW.getTime() + 3_600_000));
    expect(await publish(before, 'stale', 1)).toBeInstanceOf(StaleRead);
    const next = await read();
    const changed = {
      ...heartbeatChange(new Map(), host.object.node_id),
      changed: { ...host.object, stale_after: '1m' },
    };
    await transact(table, [heartbeatStep(changed, contextOf(), 1)]);
    expect(await publish(next, 'stale', 1)).toBeInstanceOf(StaleRead);
    expect((await read()).published).toBeUndefined();
  });

  test('is refused for a node that does not exist', async () => {
    const { read } = await reported();
    expect(await publish({ ...(await read()), nodeId: 'missing' }, 'stale', 1)).toBeInstanceOf(StaleRead);
  });
});

describe('the write', () => {
  const write = async (nodeId: string, more: Partial<HeartbeatChange>) => {
    const change = { ...heartbeatChange(new Map(), nodeId), ...more };
    return transact(table, [heartbeatStep(change, contextOf({ clock: () => NOW }), NOW.getTime())]).catch(
      (error: unknown) => error,
    );
  };
  const stored = async (nodeId: string) => toHeartbeat((await itemAt(table, heartbeatKey(nodeId)))!);

  test('adds a heartbeat once, with its processes', async () => {
    const entity = node();
    const { node_id: id } = entity.object;
    expect(await write(id, { added: entity.object, come: new Set(['a']) })).toBeUndefined();
    expect(await stored(id)).toMatchObject({ addedAt: NOW.getTime(), processes: new Map([['a', undefined]]) });
    expect(await write(id, { added: entity.object })).toBeInstanceOf(StaleRead);
  });

  test('adds and removes processes, and changes timers, in one item', async () => {
    const entity = node();
    const { node_id: id } = entity.object;
    await write(id, { added: entity.object, come: new Set(['a']) });
    const changed = { ...entity.object, stale_after: '1m' };
    expect(await write(id, { changed, come: new Set(['b']), gone: new Set(['a']) })).toBeUndefined();
    expect(await stored(id)).toMatchObject({ life: { staleAfter: 60 }, processes: new Map([['b', undefined]]) });
  });

  test.each<[string, Partial<HeartbeatChange>]>([
    ['a process that exists', { come: new Set(['a']) }],
    ['the removal of a process that does not exist', { gone: new Set(['b']) }],
  ])('refuses %s', async (_, change) => {
    const entity = node();
    const { node_id: id } = entity.object;
    await write(id, { added: entity.object, come: new Set(['a']) });
    expect(await write(id, change)).toBeInstanceOf(StaleRead);
    expect((await stored(id)).processes).toEqual(new Map([['a', undefined]]));
  });

  test.each<[string, Partial<HeartbeatChange>]>([
    ['a change', { changed: place.object }],
    ['a removal', { removed: true }],
    ['a process', { come: new Set(['a']) }],
  ])('refuses %s of a missing heartbeat', async (_, change) => {
    expect(await write('missing', change)).toBeInstanceOf(StaleRead);
    expect(await itemAt(table, heartbeatKey('missing'))).toBeUndefined();
  });

  describe('on condition that no process has reported', () => {
    async function host() {
      const entity = node();
      const { node_id: id } = entity.object;
      const [first, second] = [pmmAgent(entity), pmmAgent(entity)];
      await addAll(table, entity, first, second);
      const report = (of: typeof first, milliseconds: number) =>
        reportOf(table, of, new Date(NOW.getTime() + milliseconds));
      return { id, first, second, report };
    }

    test('removes the heartbeat of a silent node', async () => {
      const { id, first, report } = await host();
      await report(first, 0);
      expect(await write(id, { removed: true, silentSince: await stored(id) })).toBeUndefined();
      expect(await itemAt(table, heartbeatKey(id))).toBeUndefined();
    });

    test('refuses a removal that is not later than the published state, and accepts the next attempt', async () => {
      const { id, first, report } = await host();
      await report(first, 0);
      const at = NOW.getTime() + 5000;
      await transact(table, [publishedStep(await stored(id), { state: 'stale', at })]);
      const silentSince = await stored(id);
      const writeContext = contextOf({ clock: () => NOW });
      const remove = (time: number) => {
        const change = { ...heartbeatChange(new Map(), id), removed: true, silentSince };
        return transact(table, [heartbeatStep(change, writeContext, time)]).catch((error: unknown) => error);
      };
      const refusal = await remove(at);
      expect([refusal instanceof StaleRead, refusal instanceof ConcurrentReport]).toEqual([true, false]);
      expect(writeContext.minTimestamp).toBe(at);
      expect(await remove(at + 1)).toBeUndefined();
    });

    test.each([
      ['again', 0],
      ['for the first time', 1],
    ])('refuses after one has reported %s', async (_, index) => {
      const { id, first, second, report } = await host();
      await report(first, 0);
      const silentSince = await stored(id);
      await report([first, second][index]!, 3_600_000);
      for (const change of [{ removed: true }, { gone: new Set([first.object.agent_id]) }])
        expect(await write(id, { ...change, silentSince })).toBeInstanceOf(ConcurrentReport);
      expect(await itemAt(table, heartbeatKey(id))).toBeDefined();
    });
  });
});
