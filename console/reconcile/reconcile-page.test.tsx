import { cellsOf, goTo, pass, rowsOf, screen, untilQuiet, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

const node = (name: string, fields: object = {}) => ({
  node_type: 'generic',
  node_name: name,
  address: '10.0.7.1',
  ...fields,
});

const desired = (...nodes: object[]) => JSON.stringify({ nodes });

const addNode = async (name: string): Promise<string> => (await site.write('POST', '/v1/nodes', node(name))).node_id;

const namesOf = async (prefix: string): Promise<string[]> =>
  (await site.api('GET', `/v1/nodes?name_prefix=${prefix}`)).body.nodes.map((node: any) => node.node_name).sort();

async function fill(label: RegExp, text: string) {
  const field = screen.getByRole('textbox', { name: label });
  await user.clear(field);
  // Pasted: one step, and no character has a meaning of its own.
  await user.click(field);
  await user.paste(text);
}

interface PlanInput {
  prefix?: string;
  most?: string;
  text?: string;
}

async function plan({ prefix, most, text }: PlanInput) {
  if (prefix !== undefined) await fill(/^Name prefix/, prefix);
  if (most !== undefined) await fill(/^Maximum removals/, most);
  if (text !== undefined) await fill(/^Desired objects, as JSON/, text);
  await user.click(screen.getByRole('button', { name: 'Plan' }));
}

const applyButton = () => screen.queryByRole<HTMLButtonElement>('button', { name: 'Apply this plan' });

async function apply() {
  await user.click(applyButton()!);
  await user.click(
    within(screen.getByRole('dialog', { name: 'Apply this plan' })).getByRole('button', { name: 'Apply' }),
  );
}

test('a plan that removes more than allowed is shown with the reason, and cannot be applied', async () => {
  for (const name of ['most-1', 'most-2']) await addNode(name);
  await site.at('reconcile');
  await plan({ prefix: 'most-', text: desired(node('most-1')) });
  expect(textOf()).toContain('This plan will not be applied');
  expect(textOf()).toContain(
    '1 of 2 objects in the scope (50 %) would be removed, but max_removals_percent allows 20 %',
  );
  expect(rowsOf('Items').map((row) => textOf(row))).toEqual([expect.stringContaining('most-2')]);
  // A removal has no differences.
  expect(cellsOf(rowsOf('Items'))[0]).toContain('-');
  expect(applyButton()).toBeNull();

  await plan({ text: '{}' });
  expect(textOf()).toContain('`desired` is empty but the scope contains 2 objects. No changes were made.');
  expect(textOf()).toContain('No plan was made');
  expect(screen.queryByRole('group', { name: 'Plan' })).toBeNull();
  expect(await namesOf('most-')).toEqual(['most-1', 'most-2']);
});

test('a violation is shown beside its field, before a request', async () => {
  const network = await site.at('reconcile');
  await plan({});
  expect(textOf()).toContain('Must contain a name_prefix');
  await fill(/^Name prefix/, 'shop-');
  expect(textOf()).toContain('Required.');
  await plan({ prefix: 'shop-', most: '200', text: '{ "nodes": [' });
  expect(textOf()).toContain('Not valid JSON');
  await plan({ text: desired(node('elsewhere-1'), { ...node('shop-1'), colour: 'red' }) });
  expect(textOf()).toContain('desired.nodes.1.colour:');
  expect(textOf()).toContain('Must be a number from 0 to 100.');
  await plan({ most: '20', text: desired(node('elsewhere-1')) });
  expect(textOf()).toContain('desired.nodes.0: Outside the scope');
  expect(network.requests.filter((request) => request.includes('reconcile'))).toEqual([]);
});

test('a blocked step names its reason', async () => {
  await addNode('block-1');
  await site.at('reconcile');
  const other = { node_type: 'container', node_name: 'block-1', address: '10.0.7.1', container_id: 'c1' };
  await plan({ prefix: 'block-', most: '100', text: desired(other) });
  expect(textOf()).toContain('No change is possible');
  expect(textOf(rowsOf('Items')[0]!)).toMatch(/Blocked.*Exists with the type generic/);
  expect(applyButton()).toBeNull();
});

test('a plan is not applied after a change of inventory or form, and planned again', async () => {
  const id = await addNode('moved-1');
  await site.at('reconcile');
  await plan({ prefix: 'moved-', text: desired(node('moved-1', { distro: 'debian' })) });
  await site.write('PATCH', `/v1/nodes/${id}`, { distro: 'alpine' });
  await apply();
  expect(textOf()).toContain('The inventory has changed');
  expect(applyButton()!.disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Make a new plan' }));
  const [row] = rowsOf('Items');
  expect([...row!.querySelectorAll('del.went, ins.came')].map(textOf)).toEqual(['alpine', 'debian']);

  await fill(/^Desired objects, as JSON/, desired(node('moved-1', { distro: 'fedora' })));
  expect(textOf()).toContain('The request has changed since this plan was made.');
  expect(applyButton()!.disabled).toBe(true);
});

test('a file fills in the form with a desired state or a whole request', async () => {
  await site.at('reconcile');
  const take = (name: string, content: string) =>
    user.upload(
      document.querySelector<HTMLInputElement>('input[type=file]')!,
      new File([content], name, { type: 'application/json' }),
    );
  const value = (label: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name: label }).value;
  await take('desired.json', desired(node('file-1')));
  expect(value(/^Desired objects, as JSON/)).toBe(desired(node('file-1')));
  const scope = { name_prefix: 'file-', selector: 'team=shop' };
  const labelled = node('file-1', { custom_labels: { team: 'shop' } });
  await take('request.json', JSON.stringify({ scope, desired: { nodes: [labelled] }, max_removals_percent: 50 }));
  expect([/^Name prefix/, /^Label selector/, /^Maximum removals/].map(value)).toEqual(['file-', 'team=shop', '50']);
  await plan({});
  expect(textOf(rowsOf('Items')[0]!)).toContain('file-1');
  await take('large.json', 'x'.repeat(2 * 1024 * 1024 + 1));
  expect(textOf()).toContain('large.json exceeds 2 MB');
});

const progress = (state: string, done: number, failed = 0) => ({ state, progress: { total: 4, done, failed } });
const kept = { created_at: '2026-03-03T09:30:00.000Z', expires_at: '2026-03-04T09:30:00.000Z', failures: [] };
const MISSING = '5e0c6ea9-4f3e-4b53-9d2f-7d3f4b3f1c11';

test('a long reconciliation is followed under its address until done, and stopped, planned or missing jobs are reported', async () => {
  const network = await site.at('reconcile');
  await plan({ prefix: 'job-', text: desired(node('job-1')) });
  const counted = { in_scope: 0, add: 4, change: 0, remove: 0, unchanged: 0, blocked: 0, items: [] };
  let planId = '';
  const endFirst = network.answer('POST /v1/reconcile', ({ body }) => {
    ({ plan_id: planId } = JSON.parse(body));
    return { plan_id: planId, ...progress('applying', 0), ...counted };
  });
  const item = { action: 'remove', kind: 'node', node_name: 'job-9' };
  let state: object = progress('applying', 1);
  const end = network.answer(/^GET \/v1\/reconcile\//, () => ({ plan_id: planId, ...kept, ...state }));
  await apply();
  expect(textOf()).toContain('1 of 4 objects done');
  expect(location.hash).toBe(`#/reconcile?plan_id=${planId}`);
  state = { ...progress('done', 3, 1), failures: [{ item, message: 'Somebody else needs it.' }] };
  await pass(3000);
  for (const text of ['3 of 4 objects done, 1 failed', 'Done, with failures', 'Somebody else needs it.'])
    expect(textOf()).toContain(text);
  const looks = network.requests.length;
  await pass(10_000);
  expect(network.requests).toHaveLength(looks);
  endFirst();
  end();

  await site.at(`reconcile?plan_id=${planId}`);
  expect(textOf()).toContain('Planned, not applied');
  await user.click(screen.getByRole('link', { name: 'Make another plan' }));
  expect(screen.getByRole('textbox', { name: /^Name prefix/ })).toBeDefined();

  const before = await site.at(`reconcile?plan_id=${MISSING}`);
  expect(textOf()).toContain('This plan does not exist');
  before.answer(/^GET \/v1\/reconcile\//, () => ({
    plan_id: 'p',
    ...progress('stopped', 2),
    ...kept,
    reason: 'The inventory has changed.',
  }));
  await goTo(`reconcile?plan_id=${MISSING.replace('11', '12')}`);
  expect(textOf()).toContain('Stopped before completion');
  expect(textOf()).toContain('The inventory has changed.');
});

test('without a reply the result is reported as unknown, and the plan can be applied again', async () => {
  const network = await site.at('reconcile');
  await plan({ prefix: 'lost-', text: desired(node('lost-1')) });
  network.isOnline = false;
  await apply();
  await untilQuiet();
  expect(textOf()).toContain('It is unknown whether the plan was applied');
  network.isOnline = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await user.click(
    within(screen.getByRole('dialog', { name: 'Apply this plan' })).getByRole('button', { name: 'Apply' }),
  );
  expect(textOf()).toContain('The plan was applied');
  expect(await namesOf('lost-')).toEqual(['lost-1']);
});

test('the question whether to leave is above the dialog that was open', async () => {
  await site.at('reconcile');
  await plan({ prefix: 'left-', text: desired(node('left-1')) });
  await user.click(applyButton()!);
  await goTo('nodes');
  const names = screen.getAllByRole('dialog').map((dialog) => dialog.getAttribute('aria-labelledby'));
  expect(names.map((id) => document.getElementById(id!)?.textContent)).toEqual(['Apply this plan', 'Leave this page?']);
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  expect(document.querySelector('main h1')?.textContent).toMatch(/^Nodes/);
});

test('a Viewer reads the required role, and an Editor plans', async () => {
  await site.at('reconcile', { key: site.inventory.keys.Viewer });
  expect(textOf()).toContain('This requires the role Editor');
  expect(screen.queryByRole('textbox', { name: /^Desired objects/ })).toBeNull();
  await site.at('reconcile', { key: site.inventory.keys.Editor });
  await plan({ prefix: 'editor-', text: desired(node('editor-1')) });
  expect(applyButton()).not.toBeNull();
});
