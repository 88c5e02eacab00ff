import { commandCall } from '../../../../tests/support/command-call.ts';
import { formats, run } from './targets.ts';

const groups = [
  { targets: ['db-1:9100', 'db-1:9104'], labels: { node_name: 'db-1', job: 'node_exporter' } },
  { targets: ['db-2:9100'], labels: { node_name: 'db-2' } },
];

test('programs get the targets as a scraper reads them, and people get their addresses', async () => {
  const printed = async (options: Record<string, unknown>) => {
    const call = commandCall({ options, answer: () => groups });
    await run(call);
    return call.out();
  };
  expect(JSON.parse(await printed({ output: 'json' }))).toEqual(groups);
  expect(await printed({ output: 'markdown' })).toBe(
    '| targets | job |\n| --- | --- |\n| db-1:9100,db-1:9104 | node_exporter |\n| db-2:9100 | - |\n',
  );
  expect((await printed({ output: 'wide' })).split('\n')[0]).toMatch(/^TARGETS +JOB +LABELS$/);
});

test('options are filters of the request; a list of names is no format', async () => {
  const call = commandCall({
    options: { selector: 'team=a', shard: '0/16', networks: '10.0.0.0/8' },
    answer: () => [],
  });
  await run(call);
  expect(Object.fromEntries(new URL(call.sent[0]!.path, 'http://a').searchParams)).toEqual({
    ...{ selector: 'team=a', shard: '0/16', networks: '10.0.0.0/8' },
  });
  expect(formats).toEqual(['table', 'wide', 'json', 'jsonl', 'yaml', 'csv', 'markdown']);
});
