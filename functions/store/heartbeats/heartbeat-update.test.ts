import { StaleRead } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { itemAt, startTable } from '../../../tests/support/table.ts';
import type { Entity } from '../entities/entity.ts';
import { heartbeatKey } from '../table/keys.ts';
import { toHeartbeat } from './heartbeat.ts';
import {
  heartbeatChange,
  type HeartbeatChange,
  type HeartbeatChanges,
  heartbeatStep,
  noteHeartbeat,
  Reported,
} from './heartbeat-update.ts';
import { takeReport } from './report.ts';
import { addAll } from '../../../tests/support/store.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());

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

describe('the effect of a plan', () => {
  const empty = { nodeId: place.object.node_id, removed: false, come: new Set(), gone: new Set() };

  test('a node with its process is one change', () => {
    const come = new Set([process.object.agent_id]);
    expect(noted([undefined, place], [undefined, process])).toEqual([{ ...empty, added: place.object, come }]);
    expect(noted([process, undefined], [place, undefined])).toEqual([{ ...empty, removed: true, gone: come }]);
  });

  test('a node changes its heartbeat only with its timers or its lifetime', () => {
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

  test('services, other agents and changes of a process have none', () => {
    const target = service([place]);
    const agent = exporter(process, [target]);
    expect(
      noted([undefined, target], [target, undefined], [undefined, agent], [agent, undefined], [process, process]),
    ).toEqual([]);
  });
});

describe('the write', () => {
  const write = async (nodeId: string, more: Partial<HeartbeatChange>) => {
    const change = { ...heartbeatChange(new Map(), nodeId), ...more };
    return transact(table, [heartbeatStep(change, NOW)]).catch((error: unknown) => error);
  };
  const stored = async (nodeId: string) => toHeartbeat((await itemAt(table, heartbeatKey(nodeId)))!);

  test('adds a heartbeat once, with its processes', async () => {
    const one = node();
    const { node_id: id } = one.object;
    expect(await write(id, { added: one.object, come: new Set(['a']) })).toBeUndefined();
    expect(await stored(id)).toMatchObject({ addedAt: NOW.getTime(), processes: new Map([['a', undefined]]) });
    expect(await write(id, { added: one.object })).toBeInstanceOf(StaleRead);
  });

  test('adds and removes processes, and changes timers, in one item', async () => {
    const one = node();
    const { node_id: id } = one.object;
    await write(id, { added: one.object, come: new Set(['a']) });
    const changed = { ...one.object, stale_after: '1m' };
    expect(await write(id, { changed, come: new Set(['b']), gone: new Set(['a']) })).toBeUndefined();
    expect(await stored(id)).toMatchObject({ life: { staleAfter: 60 }, processes: new Map([['b', undefined]]) });
  });

  test.each<[string, Partial<HeartbeatChange>]>([
    ['a process that exists', { come: new Set(['a']) }],
    ['the removal of a process that does not exist', { gone: new Set(['b']) }],
  ])('refuses %s', async (_, change) => {
    const one = node();
    const { node_id: id } = one.object;
    await write(id, { added: one.object, come: new Set(['a']) });
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
      const one = node();
      const { node_id: id } = one.object;
      const [first, second] = [pmmAgent(one), pmmAgent(one)];
      await addAll(table, one, first, second);
      const report = (of: typeof first, milliseconds: number) =>
        takeReport(table, {
          pmmAgentId: of.object.agent_id,
          entries: [],
          scope: undefined,
          now: new Date(NOW.getTime() + milliseconds),
        });
      return { id, first, second, report };
    }

    test('removes the heartbeat of a silent node', async () => {
      const { id, first, report } = await host();
      await report(first, 0);
      expect(await write(id, { removed: true, silentSince: await stored(id) })).toBeUndefined();
      expect(await itemAt(table, heartbeatKey(id))).toBeUndefined();
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
        expect(await write(id, { ...change, silentSince })).toBeInstanceOf(Reported);
      expect(await itemAt(table, heartbeatKey(id))).toBeDefined();
    });
  });
});
