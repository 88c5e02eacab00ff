import { marshall } from '@aws-sdk/util-dynamodb';
import { scan } from '../../tests/consistency/invariants.ts';
import { WORK_MS } from '../../functions/triggers/continue-jobs/times.ts';
import { noteProgress } from '../../functions/store/jobs/reconciliations.ts';
import { startInventory } from '../../tests/support/inventory.ts';
import { resourceAt, synthesise } from '../synthesis/synthesise.ts';

const template = synthesise();
const { properties }: { properties: any } = resourceAt(template, 'Jobs/Stream/Resource');

/** Lambda's event filters, as far as they are used here. */
function matches(pattern: any, value: any): boolean {
  if (!Array.isArray(pattern))
    return Object.entries(pattern).every(([name, part]) => value?.[name] !== undefined && matches(part, value[name]));
  return pattern.some((rule) => (typeof rule === 'string' ? rule === value : String(value).startsWith(rule.prefix)));
}

test('of all table changes the worker gets only jobs to continue', async () => {
  const inventory = await startInventory();
  try {
    const node = { node_type: 'generic', node_name: 'n', address: 'a', region: 'r', custom_labels: { team: 't' } };
    const plan = async () => {
      const body = { scope: { selector: 'team=t' }, desired: { nodes: [node] } };
      return (await inventory.request('POST', '/v1/reconcile', { body })).body.plan_id as string;
    };
    const [planned, begun, done] = [await plan(), await plan(), await plan()];
    const progress = { total: 1, done: 0, failed: 0, failures: [] };
    await noteProgress(inventory.table, begun, { ...progress, state: 'applying' });
    await noteProgress(inventory.table, done, { ...progress, done: 1, state: 'done' });
    await inventory.request('POST', '/v1/nodes', { body: node });
    const patterns: unknown[] = properties.FilterCriteria.Filters.map((filter: any) => JSON.parse(filter.Pattern));
    const removal = { pk: 'FORCED_REMOVALS', sk: 'NODE#1' };
    const items = [...(await scan(inventory.table)), removal];
    const handedIn = (eventName: string) =>
      items.filter(({ pk, sk, ...item }) => {
        const NewImage = marshall({ pk, sk, ...item }, { removeUndefinedValues: true });
        return patterns.some((pattern) =>
          matches(pattern, { eventName, dynamodb: { Keys: marshall({ pk, sk }), NewImage } }),
        );
      });
    expect(items.length).toBeGreaterThan(10);
    expect(planned).not.toBe(begun);
    const names = (eventName: string) => handedIn(eventName).map(({ pk }) => pk);
    expect(names('INSERT')).toEqual([`RECONCILIATION#${begun}`, removal.pk]);
    expect(names('MODIFY')).toEqual([`RECONCILIATION#${begun}`]);
    expect(handedIn('REMOVE')).toEqual([]);
  } finally {
    await inventory.stop();
  }
});

test('a failed event is retried for hours, then moved to a queue with an alarm', () => {
  const { id: stuck } = resourceAt(template, 'Jobs/Stuck/Resource');
  expect(properties).toMatchObject({
    BatchSize: 1,
    MaximumRecordAgeInSeconds: 7200,
    DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [stuck, 'Arn'] } } },
  });
  // Limited by age only.
  expect(properties.MaximumRetryAttempts ?? -1).toBe(-1);
});

test('the worker has time for more than what it begins', () => {
  const { properties: worker } = resourceAt(template, 'Jobs/continueJobs/Function/Resource');
  // A round: planning, 20 s of writes, and the write of the progress.
  expect(worker['Timeout']).toBeGreaterThan((WORK_MS + 60_000) / 1000);
});
