import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import { LOOK_MS } from '../../functions/triggers/continue-jobs/times.ts';
import { noteProgress } from '../../functions/store/jobs/reconciliations.ts';
import { useInventory } from '../../tests/support/fixtures.ts';
import { loadFunctions } from '../gateway/functions.ts';
import { createGateway } from '../gateway/gateway.ts';
import { withJobs } from './jobs.ts';

const inventory = useInventory();

/** A server on which the time of each reconciliation was up before its first step. */
async function slowServer(dependencies: Dependencies) {
  const functions = await loadFunctions(inventory.dependencies);
  const reconcile = functions.handlers.get('reconcile')!;
  const handlers = new Map(functions.handlers).set('reconcile', async (event, context) => {
    const reply = await reconcile(event, context);
    const progress = { total: 1, done: 0, failed: 0, failures: [] };
    await noteProgress(inventory.table, JSON.parse(reply.body).plan_id, { ...progress, state: 'applying' });
    return { ...reply, statusCode: 202 };
  });
  const gateway = createGateway(withJobs({ ...functions, handlers }, dependencies));
  return async (method: string, url: string, body: unknown = '') => {
    const rawHeaders = ['Authorization', `Bearer ${inventory.keys.Editor}`, 'Content-Type', 'application/json'];
    const request = { method, url, rawHeaders, body: body === '' ? '' : JSON.stringify(body), sourceIp: '127.0.0.1' };
    return JSON.parse((await gateway(request)).body.toString());
  };
}

const planOf = (team: string) => ({
  scope: { selector: `team=${team}` },
  desired: { nodes: [{ node_type: 'generic', node_name: team, address: 'a', custom_labels: { team } }] },
});

test('a job that a reply announces is continued, unless the client sends its next request first', async () => {
  const ask = await slowServer(inventory.dependencies);
  const { plan_id: id } = await ask('POST', '/v1/reconcile', planOf('continued'));
  const look = () => ask('GET', `/v1/reconcile/${id}`);
  inventory.passing.advance(LOOK_MS - 1);
  for (let looks = 0; looks < 20; looks += 1) expect(await look()).toMatchObject({ state: 'applying' });
  inventory.passing.advance(1);
  let job: any;
  do job = await look();
  while (job.state === 'applying');
  expect(job).toMatchObject({ state: 'done', progress: { total: 1, done: 1, failed: 0 } });
  expect((await ask('GET', '/v1/nodes?name_prefix=continued')).nodes).toMatchObject([{ node_name: 'continued' }]);
});

test('a job that several replies announce is continued once', async () => {
  let begun = 0;
  const { dependencies, passing } = inventory;
  const after: typeof passing.after = (milliseconds, work, options) => {
    if (milliseconds === LOOK_MS) begun += 1;
    return passing.after(milliseconds, work, options);
  };
  const monotonic = { now: () => passing.now(), after };
  const ask = await slowServer({ ...dependencies, table: { ...dependencies.table, monotonic } });
  const { plan_id: id } = await ask('POST', '/v1/reconcile', planOf('once'));
  await ask('POST', '/v1/reconcile', { mode: 'apply', plan_id: id });
  expect(begun).toBe(1);
  await ask('POST', '/v1/reconcile', planOf('another'));
  expect(begun).toBe(2);
});
