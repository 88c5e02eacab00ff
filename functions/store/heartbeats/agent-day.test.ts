import { useTable } from '../../../tests/support/fixtures.ts';
import { addAll, external, exporter, node, pmmAgent } from '../../../tests/support/store.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { neverStarted } from '../../domain/agent/never-started.ts';
import type { AgentStatus } from '../../domain/agent/types.ts';
import { idOf } from '../entities/entity.ts';
import { readAgentDay } from './agent-day.ts';
import { takeReport } from './report.ts';

const MINUTE = 60_000;
const after = (minutes: number) => testTime(minutes * MINUTE);

const { table } = useTable();

/** A process with an agent of a type, and the reports of the process. */
async function hostWith(agentType: string) {
  const place = node({ stale_after: '5m', offline_after: '15m' });
  const process = pmmAgent(place);
  const agent = exporter(process, [], { agent_type: agentType });
  await addAll(table, place, process, agent);
  const report = (minutes: number, status?: AgentStatus, reason?: string) =>
    takeReport(table, {
      pmmAgentId: idOf(process),
      contents: {
        agents:
          status === undefined
            ? []
            : [{ agent_id: idOf(agent), status, ...(reason === undefined ? {} : { status_reason: reason }) }],
      },
      scope: undefined,
      limit: undefined,
      now: after(minutes),
    });
  const dayAt = (minutes: number, scope?: string) =>
    readAgentDay(table, { id: idOf(agent), scope, now: after(minutes) });
  return { place, process, report, dayAt };
}

const shown = ({ intervals }: Awaited<ReturnType<typeof readAgentDay>>) =>
  intervals.map(({ state, status, begin, end }) => [
    state,
    status,
    (begin - after(0).getTime()) / MINUTE,
    (end - after(0).getTime()) / MINUTE,
  ]);

test('an agent that waits while its process is live is not available', async () => {
  const { report, dayAt } = await hostWith('mysqld_exporter');
  await report(0, 'running');
  await report(2, 'waiting');
  await report(3, 'starting');
  await report(4, 'running');
  const day = await dayAt(5);
  expect(shown(day)).toEqual([
    ['live', 'running', 0, 2],
    ['live', 'waiting', 2, 3],
    ['live', 'starting', 3, 4],
    ['live', 'running', 4, 5],
  ]);
  expect(day.availability).toBe(0.6);
});

test('the status is the last one while the process is stale, and unknown while it is offline', async () => {
  const { report, dayAt } = await hostWith('mysqld_exporter');
  await report(0, 'running');
  const day = await dayAt(20);
  expect(shown(day)).toEqual([
    ['live', 'running', 0, 5],
    ['stale', 'running', 5, 15],
    ['offline', 'unknown', 15, 20],
  ]);
  expect(day.availability).toBe(0.25);
});

test('an agent of which its process reports nothing has the states of the process', async () => {
  const { report, dayAt } = await hostWith('mysqld_exporter');
  await report(0);
  const day = await dayAt(10);
  expect(shown(day)).toEqual([
    ['live', undefined, 0, 5],
    ['stale', undefined, 5, 10],
  ]);
  expect(day.availability).toBe(0.5);
});

test('an agent that the gateway never starts did not wait but is not supported, also before its host was offline', async () => {
  const [[agentType, reason]] = Object.entries(neverStarted) as [[string, string]];
  const { report, dayAt } = await hostWith(agentType);
  await report(0, 'waiting', reason);
  expect(shown(await dayAt(2))).toEqual([['live', 'not_supported', 0, 2]]);
  expect(shown(await dayAt(20)).map(([state, status]) => [state, status])).toEqual([
    ['live', 'not_supported'],
    ['stale', 'not_supported'],
    ['offline', 'unknown'],
  ]);
});

test('an agent on no node has no day, and a key of another node reads none', async () => {
  const { place, report, dayAt } = await hostWith('mysqld_exporter');
  await report(0, 'running');
  expect(shown(await dayAt(1, idOf(place)))).toHaveLength(1);
  await expect(dayAt(1, 'another')).rejects.toMatchObject({ kind: 'permissionDenied' });
  const agent = external({});
  await addAll(table, agent);
  expect((await readAgentDay(table, { id: idOf(agent), scope: undefined, now: after(1) })).intervals).toEqual([]);
});
