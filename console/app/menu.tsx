import type { SideNavigationProps } from '@cloudscape-design/components/side-navigation';
import Box from '@cloudscape-design/components/box';
import Icon from '@cloudscape-design/components/icon';
import { base } from '../api/base.tsx';
import { endpoint as addAgent } from '../../functions/api/agents/add/endpoint.ts';
import { endpoint as listAgents } from '../../functions/api/agents/list/endpoint.ts';
import { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import { endpoint as listAudit } from '../../functions/api/audit/list/endpoint.ts';
import { endpoint as listClusters } from '../../functions/api/clusters/list/endpoint.ts';
import { endpoint as listEnrolmentTokens } from '../../functions/api/enrolment-tokens/list/endpoint.ts';
import { endpoint as addNode } from '../../functions/api/nodes/add/endpoint.ts';
import { endpoint as listNodes } from '../../functions/api/nodes/list/endpoint.ts';
import { endpoint as reconcile } from '../../functions/api/reconciliations/apply/endpoint.ts';
import { endpoint as listRemoved } from '../../functions/api/removals/list/endpoint.ts';
import { endpoint as listRoleBindings } from '../../functions/api/role-bindings/list/endpoint.ts';
import { endpoint as addService } from '../../functions/api/services/add/endpoint.ts';
import { endpoint as listServices } from '../../functions/api/services/list/endpoint.ts';
import { endpoint as listSessions } from '../../functions/api/sessions/list/endpoint.ts';
import { endpoint as listSilences } from '../../functions/api/silences/list/endpoint.ts';
import { endpoint as getSummary } from '../../functions/api/summary/get/endpoint.ts';
import { endpoint as listUsers } from '../../functions/api/users/list/endpoint.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { type CallerRights, mayCallWithEveryBody } from '../../functions/contract/may-call.ts';
import type { Command } from '../search/command.ts';

export const API_BROWSER = `${base}/swagger/`;

interface MenuEntry {
  text: string;
  href: string;
  /** The endpoint that the page requires. Keys of hosts may not read lists. */
  needs: Endpoint;
  /** The form of the page, which only the search offers. */
  form?: Omit<MenuEntry, 'form'>;
}

const overview: MenuEntry = { text: 'Overview', href: '#/overview', needs: getSummary };

/** Its steps check the lists of the inventory. */
const quickStart: MenuEntry = { text: 'Quick start', href: '#/quick-start', needs: listNodes };

const inventory: readonly MenuEntry[] = [
  { text: 'Nodes', href: '#/nodes', needs: listNodes, form: { text: 'Add node', href: '#/nodes/add', needs: addNode } },
  {
    text: 'Services',
    href: '#/services',
    needs: listServices,
    form: { text: 'Add service', href: '#/services/add', needs: addService },
  },
  {
    text: 'Agents',
    href: '#/agents',
    needs: listAgents,
    form: { text: 'Add agent', href: '#/agents/add', needs: addAgent },
  },
  { text: 'Clusters', href: '#/clusters', needs: listClusters },
  { text: 'Silences', href: '#/silences', needs: listSilences },
  { text: 'Reconcile', href: '#/reconcile', needs: reconcile },
  { text: 'Removed', href: '#/removed', needs: listRemoved },
];

const configuration: readonly MenuEntry[] = [
  { text: 'API keys', href: '#/configuration/api-keys', needs: listApiKeys },
  { text: 'Enrolment tokens', href: '#/configuration/enrolment-tokens', needs: listEnrolmentTokens },
  { text: 'Users', href: '#/configuration/users', needs: listUsers },
  { text: 'Role bindings', href: '#/configuration/role-bindings', needs: listRoleBindings },
  { text: 'Sessions', href: '#/configuration/sessions', needs: listSessions },
  { text: 'Audit', href: '#/configuration/audit', needs: listAudit },
];

const entries: readonly MenuEntry[] = [overview, ...inventory, ...configuration, quickStart];

/** The entry of the menu that a page belongs to; empty for none. */
export const sectionOf = (activeHref: string): readonly { text: string; href: string }[] =>
  entries.filter(({ href }) => href === activeHref);

/** Forms and pages that a caller may open, as commands of the search. */
export const commandsFor = (caller: CallerRights): readonly Command[] => [
  ...entries.flatMap(({ form }) => (form !== undefined && mayCallWithEveryBody(caller, form.needs) ? [form] : [])),
  ...entries
    .filter((entry) => mayCallWithEveryBody(caller, entry.needs))
    .map(({ text, href }) => ({ text: `Go to ${text}`, href })),
];

/** A link of the menu. If its page requires a higher role, the link names the role. */
function linkOf(entry: MenuEntry, caller: CallerRights): SideNavigationProps.Link {
  const { text, href, needs } = entry;
  if (mayCallWithEveryBody(caller, entry.needs)) return { type: 'link', text, href };
  const info = (
    <Box variant="span" fontSize="body-s" color="text-body-secondary">
      <Icon name="lock-private" size="small" ariaLabel="Requires the role" /> {needs.role}
    </Box>
  );
  return { type: 'link', text, href, info };
}

/** The menu for a caller. It includes pages that require a higher role. */
export const menuFor = (caller: CallerRights): SideNavigationProps.Item[] => [
  linkOf(overview, caller),
  { type: 'section', text: 'Inventory', items: inventory.map((entry) => linkOf(entry, caller)) },
  { type: 'section', text: 'Configuration', items: configuration.map((entry) => linkOf(entry, caller)) },
  { type: 'divider' },
  linkOf(quickStart, caller),
  {
    type: 'link',
    text: 'Documents',
    href: `${base}/docs/`,
    external: true,
    externalIconAriaLabel: 'Opens in a new tab',
  },
  { type: 'link', text: 'API browser', href: API_BROWSER, external: true, externalIconAriaLabel: 'Opens in a new tab' },
];
