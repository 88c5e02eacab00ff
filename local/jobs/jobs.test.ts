import { noteProgress } from '../../functions/store/jobs/reconciliations.ts';
import { startInventory } from '../../tests/support/inventory.ts';
import { loadFunctions } from '../gateway/functions.ts';
import { createGateway } from '../gateway/gateway.ts';
import { withJobs } from './jobs.ts';

test('a job that a reply announces is continued', async () => {
  const inventory = await startInventory();
  try {
    const functions = await loadFunctions(inventory.dependencies);
    const reconcile = functions.handlers.get('reconcile')!;
    // A request whose time was up before its first step.
    const handlers = new Map(functions.handlers).set('reconcile', async (event, context) => {
      const reply = await reconcile(event, context);
      const progress = { total: 1, done: 0, failed: 0, failures: [] };
      await noteProgress(inventory.table, JSON.parse(reply.body).plan_id, { ...progress, state: 'applying' });
      return { ...reply, statusCode: 202 };
    });
    const gateway = createGateway(withJobs({ ...functions, handlers }, inventory.dependencies));
    const ask = async (method: string, url: string, body: unknown = '') => {
      const rawHeaders = ['Authorization', `Bearer ${inventory.keys.Editor}`, 'Content-Type', 'application/json'];
      const request = { method, url, rawHeaders, body: body === '' ? '' : JSON.stringify(body), sourceIp: '127.0.0.1' };
      return JSON.parse((await gateway(request)).body.toString());
    };
    const node = { node_type: 'generic', node_name: 'n', address: 'a', custom_labels: { team: 't' } };
    const { plan_id: id } = await ask('POST', '/v1/reconcile', {
      scope: { selector: 'team=t' },
      desired: { nodes: [node] },
    });
    let job: any;
    do job = await ask('GET', `/v1/reconcile/${id}`);
    while (job.state === 'applying');
    expect(job).toMatchObject({ state: 'done', progress: { total: 1, done: 1, failed: 0 } });
    expect((await ask('GET', '/v1/nodes')).nodes).toMatchObject([{ node_name: 'n' }]);
  } finally {
    await inventory.stop();
  }
});
