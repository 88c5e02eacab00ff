import { reportOf } from '../../../tests/support/report.ts';
import { entity, addAll, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { fakeTable, itemAt } from '../../../tests/support/table.ts';
import { heartbeatKey } from '../table/keys.ts';
import { getReply, reportedAlongside } from './with-state.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
const place = node();
const process = pmmAgent(place);
const target = service([place]);
const agent = exporter(process, [target]);
const now = testTime();
beforeAll(async () => {
  await addAll(table, place, target, process, agent);
  const entries = [{ agent_id: agent.object.agent_id, status: 'running' as const, listen_port: 42 }];
  await reportOf(table, process, now, entries);
});

const id = place.object.node_id;

test('a reply contains the state of a node, a service and an agent', async () => {
  const reply = async (kind: 'node' | 'service' | 'agent', of: string, scope?: string) => {
    const { json, revision } = await getReply(table, { kind, id: of, scope, now });
    expect(JSON.parse(json)).toMatchObject({ revision });
    return JSON.parse(json) as object;
  };
  const live = { state: 'live', reported_at: now.toISOString() };
  expect(await reply('node', id)).toMatchObject({ node_id: id, ...live });
  expect(await reply('service', target.object.service_id)).toMatchObject(live);
  expect(await reply('agent', agent.object.agent_id)).toMatchObject({ ...live, status: 'running', listen_port: 42 });
  await expect(reply('node', id, 'another')).rejects.toMatchObject({ kind: 'permissionDenied' });
  await expect(reply('service', 'missing')).rejects.toMatchObject({ kind: 'notFound' });
});

describe('the reply to a write', () => {
  const stored = entity('agent', { ...agent.object, last_change: 'c', removing: true });

  test('contains the report, but neither a state nor internal fields', async () => {
    const reading = reportedAlongside(table, now);
    reading.begin(stored);
    expect(await reading.end(stored)).toEqual({
      ...agent.object,
      status: 'running',
      status_since: now.toISOString(),
      listen_port: 42,
    });
    expect(await reportedAlongside(table, now).end(stored)).toMatchObject({ status: 'running' });
  });

  test('uses a heartbeat that was read with it, without another read', async () => {
    const silent = fakeTable(() => {
      throw new Error('not to be called');
    });
    const reading = reportedAlongside(silent, now);
    reading.take(await itemAt(table, heartbeatKey(id)));
    reading.begin(stored);
    expect(await reading.end(stored)).toMatchObject({ status: 'running' });
    const missing = reportedAlongside(silent, now);
    missing.take(undefined);
    expect(await missing.end(stored)).toEqual(agent.object);
  });

  test('fails only when the read fails', async () => {
    const failing = fakeTable(() => {
      throw new Error('no reply');
    });
    const reading = reportedAlongside(failing, now);
    reading.begin(stored);
    await new Promise(setImmediate);
    await expect(reading.end(stored)).rejects.toThrow('no reply');
  });
});
