import { commandCall, refusal } from '../../../../tests/support/command-call.ts';
import { Options } from '../core/options.ts';
import { Output } from '../output/output.ts';
import { type FilePlan, hasDifferences, itemName, planFiles, removalsOf, showPlans, tableOptionsOf } from './plans.ts';
import { parseState } from './state-file.ts';

const planned = (more: Partial<FilePlan['plan']> = {}): FilePlan => ({
  file: 'fleet.yaml',
  request: { scope: {}, desired: {} },
  plan: {
    ...{ state: 'planned', progress: { total: 0, done: 0, failed: 0, skipped: 0 }, in_scope: 0 },
    ...{ add: 0, change: 0, remove: 0, unchanged: 0, blocked: 0, items: [] },
    ...more,
  },
});

test('an addition, a change or a removal alone is a difference; blocked and unchanged items are none', () => {
  for (const counts of [{ add: 1 }, { change: 1 }, { remove: 1 }]) expect(hasDifferences(planned(counts))).toBe(true);
  for (const counts of [{}, { blocked: 1 }, { unchanged: 9 }]) expect(hasDifferences(planned(counts))).toBe(false);
});

test('the share of removals is a percentage', () => {
  expect(removalsOf(new Options({}))).toBeUndefined();
  expect(removalsOf(new Options({ maxRemovals: '30%' }))).toBe(30);
  expect(removalsOf(new Options({ maxRemovals: '0' }))).toBe(0);
  expect(() => removalsOf(new Options({ maxRemovals: '300%' }))).toThrow(expect.objectContaining({ exit: 'usage' }));
});

test('the scope and the defaults of tables are those of the options', () => {
  const of = (options: Record<string, unknown>) => tableOptionsOf(new Options(options));
  expect(of({})).toEqual({ defaults: [] });
  expect(of({ selector: 'a=b' })).toEqual({ scope: { selector: 'a=b' }, defaults: [] });
  expect(of({ prefix: 'db', default: ['region=eu'] })).toEqual({
    scope: { name_prefix: 'db' },
    defaults: ['region=eu'],
  });
});

describe('the plan of a file', () => {
  const file = parseState('scope:\n  selector: fleet=a\n  max_removals_percent: 10\nnodes: []\n', 'fleet.yaml');
  const plan = async (options: Record<string, unknown>, answer: () => unknown = () => planned().plan) => {
    const call = commandCall({ answer });
    const plans = await planFiles(await call.connect(), [file], new Options(options), call.world.signal);
    return { plans, body: call.sent[0]!.body };
  };

  test('has the removal share of its file or option', async () => {
    expect((await plan({})).body).toMatchObject({ mode: 'plan', max_removals_percent: 10 });
    const { plans, body } = await plan({ maxRemovals: '50' });
    expect([body.max_removals_percent, plans[0]!.request.max_removals_percent]).toEqual([50, 50]);
  });

  test('names the places in the file that the server refuses', async () => {
    const details = [{ field: 'scope.selector', reason: 'invalid', message: 'No.' }];
    const refused = plan({}, () => refusal(400, { status: 'INVALID_ARGUMENT', details }));
    await expect(refused).rejects.toMatchObject({ message: 'fleet.yaml:2:13 scope.selector: No.' });
    await expect(plan({}, () => refusal(403))).rejects.toMatchObject({ http: 403 });
  });
});

test('an agent without a place and an id is named by its type, and its targets if it has any', () => {
  expect(itemName({ action: 'add', kind: 'agent', agent_type: 'external_exporter' })).toBe('agent external_exporter');
  const ofOrders = { agent_type: 'external_exporter', insights: { node_names: [], service_names: ['orders'] } };
  expect(itemName({ action: 'add', kind: 'agent', ...ofOrders })).toBe('agent external_exporter of orders');
});

describe('a plan is shown', () => {
  const items: FilePlan['plan']['items'] = [
    { action: 'add', kind: 'node', node_name: 'db-1' },
    { action: 'change', kind: 'service', service_name: 'orders', changes: [{ field: 'port', from: 1, to: null }] },
    { action: 'remove', kind: 'agent', agent_type: 'node_exporter', runs_on_node_name: 'db-2' },
    { action: 'remove', kind: 'agent', agent_type: 'external_exporter', id: 'x' },
    { action: 'change', kind: 'node', node_name: 'db-3', blocked: 'Taken.' },
  ];
  async function shown(more: Partial<FilePlan['plan']>, options: Record<string, unknown> = {}) {
    const call = commandCall({ options });
    await showPlans([planned(more)], new Output(new Options(options), call.world));
    return call.out();
  }

  test('to people as a table with the counts below it', async () => {
    const counts = { add: 1, change: 1, remove: 2, unchanged: 4, blocked: 1 };
    const rows = (await shown({ items, ...counts })).split('\n').map((row) => row.split(/ {3,}/));
    expect(rows).toEqual([
      ['fleet.yaml:'],
      ['ACTION', 'OBJECT', 'DETAIL'],
      ['add', 'node db-1', '-'],
      ['change', 'service orders', 'port: 1 -> none'],
      ['remove', 'agent node_exporter on db-2', '-'],
      ['remove', 'agent external_exporter x', '-'],
      ['blocked', 'node db-3', 'Taken.'],
      ['1 to add, 1 to change, 2 to remove, 4 unchanged, 1 blocked.'],
      [''],
      [''],
    ]);
  });

  test('with its refusal and with the number of items that are left out', async () => {
    expect(await shown({ items_left_out: 7, refusal: 'Too many.' })).toBe(
      'fleet.yaml:\n7 more are not shown.\n0 to add, 0 to change, 0 to remove, 0 unchanged.\nToo many.\n\n',
    );
  });

  test('to a review as Markdown, with the error of an item', async () => {
    const error = { code: 9, status: 'X', error: 'Bad.', message: 'Bad.', details: [], request_id: 'r' };
    const failed = { action: 'add', kind: 'node', node_name: 'db-9', error } as const;
    expect(await shown({ items: [items[0]!, failed], add: 2 }, { output: 'markdown' })).toBe(
      [
        ...['### fleet.yaml', '', '| action | object | detail |', '| --- | --- | --- |', '| add | node db-1 | - |'],
        ...['| add | node db-9 | Bad. |', '', '2 to add, 0 to change, 0 to remove, 0 unchanged.', '', ''],
      ].join('\n'),
    );
    expect(await shown({}, { output: 'markdown' })).toMatch(/^### fleet\.yaml\n\n0 to add/);
  });

  test('to programs as a whole', async () => {
    const [plan] = JSON.parse(await shown({ items, add: 1 }, { output: 'json' }));
    expect(plan).toMatchObject({ file: 'fleet.yaml', add: 1, items });
  });
});
