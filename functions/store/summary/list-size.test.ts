import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import type { Table } from '../../../shared/db/table.ts';
import { exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { putObjectsAlone } from '../../../tests/support/stored-objects.ts';
import { startTable } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { readAgentsWithTargets } from '../lists/agents-with-targets.ts';
import { listeningTypes, targetOf } from '../lists/scrape-target.ts';
import type { EntityOf } from '../entities/entity.ts';
import { countPart, newCount, type Progress } from './count.ts';
import { ListSize, newListSize } from './list-size.ts';

let table: Table;
let stop: () => Promise<unknown>;
beforeAll(async () => ({ table, stop } = await startTable(/./)));
afterAll(() => stop());

async function estimated(objects: number): Promise<number> {
  let progress: Progress = newCount(testTime());
  for (;;) {
    const part = await countPart(table, progress, testTime(), { objects, heartbeats: 100 });
    if (part.isDone) return part.progress.list!.bytes;
    progress = JSON.parse(JSON.stringify(part.progress)) as Progress;
  }
}

test('a target has the bytes of its objects; of several it has those of the smallest and the ids, of unread ones the mean', () => {
  const [first, second, unread] = [node(), node(), node()];
  const [watched, other] = [service([first]), service([second])];
  const bytesOf = (agent: EntityOf<'agent'>) => {
    const size = new ListSize(newListSize());
    for (const [entity, bytes] of [
      [first, 100],
      [second, 300],
      [watched, 40],
      [other, 60],
    ] as const)
      size.add(entity, bytes, new Map());
    size.add(agent, 10, new Map());
    return size.state.bytes - 330 - 10;
  };
  const port = { listen_port: 9104 };
  expect(bytesOf(external({ nodes: [first] }, port))).toBe(100);
  expect(bytesOf(external({ nodes: [second], services: [watched] }, port))).toBe(300 + 40);
  expect(bytesOf(external({ services: [watched, other] }, port))).toBe(40 + 2 * 37);
  expect(bytesOf(external({ nodes: [unread] }, port))).toBe(200);
  const alone = new ListSize(newListSize());
  alone.add(external({ nodes: [unread] }, port), 10, new Map());
  expect(alone.state.bytes).toBe(330 + 10);
});

test('the estimate is within a tenth of the size of the list; in several parts, within a fifth', async () => {
  const hosts = Array.from({ length: 60 }, (_, number) => {
    const text = 'x'.repeat(number % 3 === 0 ? 900 : 9);
    const place = node({ region: 'eu-central-1', az: 'eu-central-1a', custom_labels: { team: 'shop', text } });
    const watched = service([place], { cluster: 'shop', environment: 'prod', custom_labels: { tier: 'gold' } });
    const process = pmmAgent(place);
    const large = Object.fromEntries(Array.from({ length: 20 }, (_one, label) => [`l${label}`, 'y'.repeat(1000)]));
    return [
      ...[place, watched, process],
      exporter(process, [watched], { listen_port: 42_000, custom_labels: number === 0 ? large : {} }),
      external({ services: [watched] }, { listen_port: 9187 }),
      // No targets.
      exporter(process, [watched]),
      exporter(process, [watched], { listen_port: 42_001, push_metrics: true }),
      external({ services: [watched] }, { listen_port: 9187, disabled: true }),
    ];
  });
  await putObjectsAlone(table, hosts.flat());
  const context = await readAgentsWithTargets(table, listeningTypes);
  const groups = context.agents.flatMap((agent) => targetOf(agent, context)?.group ?? []);
  expect(groups).toHaveLength(120);
  const size = jsonBytesInReply(JSON.stringify(groups));
  expect(Math.abs((await estimated(1000)) / size - 1)).toBeLessThan(0.1);
  expect(Math.abs((await estimated(1)) / size - 1)).toBeLessThan(0.2);
});
