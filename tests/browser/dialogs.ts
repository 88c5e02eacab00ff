/** Opens each dialog of the console. `tests/dialog-cases.test.ts` compares these cases with the modules of the console. */
import type { Page } from 'playwright-core';
import type { Site } from './browser.ts';

/** The name of a button, a link, an item of a menu or a list, or a box to press, or what to fill in a field. */
type Step = string | RegExp | { field: string; text: string; isUnique?: true };

export interface DialogCase {
  /** The page, as in its address. */
  page: string;
  steps: readonly Step[];
  /** The name of the dialog, or a part of it. */
  dialog: string;
  /** A part of the path of requests without a reply, so that the dialog keeps waiting. */
  held?: string;
}

const keys = 'configuration/api-keys';
const tokens = 'configuration/enrolment-tokens';
const users = 'configuration/users';
const bindings = 'configuration/role-bindings';

const PROVIDER = 'github';

/** The settings of a server with these dialogs. */
export const settings = {
  OWNER_LABEL: 'owner',
  IDENTITY_PROVIDERS: JSON.stringify([
    { name: PROVIDER, kind: 'jwt', issuer: 'https://token.actions.githubusercontent.com', audience: 'inventory' },
  ]),
};

/** The objects of the cases. */
export async function addDialogObjects({ write, addNode }: Site): Promise<void> {
  const { node_id: nodeId } = await addNode('host-1', { region: 'eu' });
  const { agent_id: processId } = await write('POST', '/v1/agents', {
    ...{ agent_type: 'pmm_agent', runs_on_node_id: nodeId },
  });
  const { service_id: serviceId } = await write('POST', '/v1/services', {
    ...{ service_type: 'mysql', service_name: 'orders-1', node_ids: [nodeId], cluster: 'orders' },
    ...{ address: '10.0.0.1', port: 3306 },
  });
  const exporter = { pmm_agent_id: processId, insights: { service_ids: [serviceId] } };
  await write('POST', '/v1/agents', { agent_type: 'mysqld_exporter', ...exporter });
  await write('POST', '/v1/agents', { agent_type: 'qan_mysql_slowlog_agent', ...exporter, disabled: true });
  const { node_id: removedId } = await addNode('removed-1');
  await write('DELETE', `/v1/nodes/${removedId}`);
  await write('POST', '/v1/saved-filters', { name: 'Europe', list: 'nodes', parameters: { region: 'eu' } });
  await write('POST', '/v1/api-keys', { name: 'active', role: 'Viewer', time_to_live: '3d' });
  const { key_id: keyId } = await write('POST', '/v1/api-keys', { name: 'stopped', role: 'Editor' });
  await write('PATCH', `/v1/api-keys/${keyId}`, { disabled: true });
  await write('POST', '/v1/users', { user_name: 'maria', role: 'Editor', owners: ['dba'] });
  const { user_id: userId } = await write('POST', '/v1/users', { user_name: 'leaver', role: 'Viewer' });
  await write('PATCH', `/v1/users/${userId}`, { disabled: true });
  await write('POST', '/v1/role-bindings', {
    ...{ name: 'deployments', provider: PROVIDER, claims: { repository_id: ['74129'] }, role: 'Editor' },
  });
}

const dates = 'since=2026-03-01T00:00:00Z&until=2026-03-02T00:00:00Z';

const plan = [
  { field: 'Name prefix', text: 'host-' },
  { field: 'Maximum removals, in percent', text: '100' },
  {
    field: 'Desired objects, as JSON',
    text: JSON.stringify({ nodes: [{ node_type: 'generic', node_name: 'host-2', address: '10.0.0.2' }] }),
  },
];

/** Chooses the form of the end of a silence: a list in a narrow window, which the first step opens, otherwise buttons. */
const atDate = [/^(At a date and time|End After some time)$/, 'At a date and time'] as const;

/** The cases of each module that has dialogs, by its path from the root. */
export const dialogCases: Readonly<Record<string, readonly DialogCase[]>> = {
  'console/api-keys/add-api-key-dialog.tsx': [{ page: keys, steps: ['Add API key'], dialog: 'Add API key' }],
  'console/api-keys/add-enrolment-token-dialog.tsx': [
    { page: tokens, steps: ['Add enrolment token'], dialog: 'Add enrolment token' },
  ],
  'console/api-keys/api-key-action-dialog.tsx': [
    { page: keys, steps: ['Actions on the key active', 'Disable'], dialog: 'Disable API key' },
    { page: keys, steps: ['Actions on the key active', 'Remove'], dialog: 'Remove API key' },
    { page: keys, steps: ['Actions on the key stopped', 'Enable'], dialog: 'Enable API key' },
  ],
  'console/api-keys/created-key-dialog.tsx': [
    {
      page: keys,
      steps: ['Add API key', { field: 'Key name', text: 'new', isUnique: true }, 'Add'],
      dialog: 'API key created',
    },
    { page: keys, steps: ['Actions on the key active', 'Rotate', 'Rotate'], dialog: 'API key rotated' },
  ],
  'console/api-keys/enrolment-tokens-page.tsx': [
    {
      page: tokens,
      steps: ['Add enrolment token', { field: 'Name', text: 'hosts', isUnique: true }, 'Add'],
      dialog: 'Enrolment token created',
    },
  ],
  'console/api-keys/limit-api-key-dialog.tsx': [
    { page: keys, steps: ['Actions on the key active', 'Change the rate limit'], dialog: 'Change rate limit' },
  ],
  'console/api-keys/rotate-api-key-dialog.tsx': [
    { page: keys, steps: ['Actions on the key active', 'Rotate'], dialog: 'Rotate API key' },
  ],
  'console/audit/time-range-filter.tsx': [
    { page: 'configuration/audit', steps: [/^When/], dialog: 'When' },
    { page: `configuration/audit?${dates}`, steps: [/^When/], dialog: 'When' },
  ],
  'console/objects/bulk/bulk-dialog.tsx': [
    { page: 'clusters/orders', steps: ['Actions', 'Set label'], dialog: 'Set label: ' },
    { page: 'clusters/orders', steps: ['Actions', 'Remove label'], dialog: 'Remove label: ' },
    { page: 'clusters/orders', steps: ['Actions', 'Disable agents'], dialog: 'Disable: ' },
    { page: 'clusters/orders', steps: ['Actions', 'Enable agents'], dialog: 'Enable: ' },
    { page: 'clusters/orders', steps: ['Actions', 'Remove with its nodes'], dialog: 'Remove: ' },
  ],
  'console/objects/bulk/removal-dialog.tsx': [{ page: 'nodes', steps: ['host-1', 'Remove'], dialog: 'Remove node' }],
  'console/objects/bulk/silence-dialog.tsx': [
    { page: 'clusters/orders', steps: ['Silence'], dialog: 'Silence' },
    { page: 'clusters/orders', steps: ['Silence', ...atDate], dialog: 'Silence' },
  ],
  'console/objects/list/download-dialog.tsx': [
    {
      page: 'nodes',
      steps: [/^(Actions|Download)$/, /^(Download )?CSV$/],
      dialog: 'Download nodes.csv',
      held: '/v1/nodes?',
    },
  ],
  'console/objects/list/list-preferences.tsx': [
    { page: 'nodes', steps: ['Preferences of the list'], dialog: 'Preferences of the list' },
  ],
  'console/objects/list/manage-filters-dialog.tsx': [
    { page: 'nodes', steps: ['Saved filters', 'Manage saved filters'], dialog: 'Saved filters' },
  ],
  'console/objects/list/save-filter-dialog.tsx': [
    { page: 'nodes?region=eu', steps: ['Saved filters', 'Save the filter'], dialog: 'Save the filter' },
  ],
  'console/reconcile/apply-dialog.tsx': [
    { page: 'reconcile', steps: [...plan, 'Plan', 'Apply this plan'], dialog: 'Apply this plan' },
  ],
  'console/removed/restore-dialog.tsx': [{ page: 'removed', steps: ['Restore node removed-1'], dialog: 'Restore' }],
  'console/role-bindings/add-binding-dialog.tsx': [
    { page: bindings, steps: ['Add role binding'], dialog: 'Add role binding' },
  ],
  'console/role-bindings/change-binding-dialog.tsx': [
    { page: bindings, steps: ['Actions on deployments', 'Change'], dialog: 'Change role binding' },
  ],
  'console/role-bindings/preview-dialog.tsx': [{ page: bindings, steps: ['Preview a role'], dialog: 'Preview a role' }],
  'console/role-bindings/remove-binding-dialog.tsx': [
    { page: bindings, steps: ['Actions on deployments', 'Remove'], dialog: 'Remove role binding' },
  ],
  'console/sessions/sessions-page.tsx': [
    { page: 'configuration/sessions', steps: [/^End the session of admin/], dialog: 'End session' },
  ],
  'console/ui/leave-dialog.tsx': [
    { page: 'nodes/add', steps: [{ field: 'Name', text: 'host-2' }, 'Cancel'], dialog: 'Leave this page?' },
  ],
  'console/ui/moment-field.tsx': [
    {
      page: 'clusters/orders',
      steps: ['Silence', ...atDate, /^Ends: calendar/],
      dialog: 'Ends: calendar',
    },
  ],
  'console/ui/show-curl.tsx': [{ page: keys, steps: ['Show as curl: API keys'], dialog: 'Show as curl' }],
  'console/users/add-user-dialog.tsx': [{ page: users, steps: ['Add user'], dialog: 'Add user' }],
  'console/users/change-user-dialog.tsx': [
    { page: users, steps: ['Actions on maria', 'Change role'], dialog: 'Change user' },
  ],
  'console/users/invited-dialog.tsx': [
    { page: users, steps: ['Actions on maria', 'Invite again', 'Invite'], dialog: 'User invited' },
  ],
  'console/users/user-action-dialog.tsx': [
    { page: users, steps: ['Actions on maria', 'Invite again'], dialog: 'Invite again' },
    { page: users, steps: ['Actions on maria', 'End all sessions'], dialog: 'End all sessions' },
    { page: users, steps: ['Actions on maria', 'Disable'], dialog: 'Disable user' },
    { page: users, steps: ['Actions on maria', 'Remove'], dialog: 'Remove user' },
    { page: users, steps: ['Actions on leaver', 'Enable'], dialog: 'Enable user' },
  ],
};

const ROLES = ['button', 'link', 'menuitem', 'option', 'radio'] as const;

async function take(page: Page, step: Step): Promise<void> {
  if (typeof step === 'object' && 'field' in step) {
    const text = step.isUnique === true ? `${step.text}-${page.viewportSize()?.width}` : step.text;
    await page.getByLabel(step.field, { exact: true }).and(page.locator('input, textarea')).last().fill(text);
    return;
  }
  const [first, ...others] = ROLES.map((role) => page.getByRole(role, { name: step, exact: true }));
  // A dialog is the last part of a page.
  await others
    .reduce((either, control) => either.or(control), first!)
    .last()
    .click();
}

/** Opens the dialog, and waits for it. */
export async function openDialog(page: Page, base: string, dialogCase: DialogCase): Promise<void> {
  const { page: hash, steps, dialog, held } = dialogCase;
  await page.goto(`${base}/#/${hash}`);
  await page.locator('main h1').waitFor();
  if (held !== undefined)
    await page.route(
      (url) => url.href.includes(held),
      () => undefined,
    );
  for (const step of steps) await take(page, step);
  await page.getByRole('dialog', { name: dialog }).waitFor();
}

/** Leaves the page with its dialog. What the user has typed is lost. */
export async function leavePage(page: Page, base: string): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const account = page.getByRole('heading', { name: 'Your account', level: 1 });
  const leave = page.getByRole('button', { name: 'Leave', exact: true });
  if (await leave.isVisible()) await leave.click();
  await page.goto(`${base}/#/account`);
  await account.or(leave).waitFor();
  if (await leave.isVisible()) await leave.click();
  await account.waitFor();
}
