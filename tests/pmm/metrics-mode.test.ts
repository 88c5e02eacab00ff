import * as z from 'zod/mini';
import { managedRds, managedServices } from '../../functions/pmm/declarations/management.ts';
import { delimitersFor } from '../../gateway/desired/delimiters.ts';
import { exporterOf } from '../../gateway/desired/exporters.ts';
import { desiredAgentSchema, desiredServiceSchema } from '../../gateway/desired/objects.ts';
import { type ProcessType, processTypes } from '../../gateway/protocol/enumerations.ts';
import { uniqueName } from './pmm-client.ts';
import { hostMessage, startPmmInventory } from './pmm-inventory.ts';

const { inventory, client, registeredHost } = await startPmmInventory();

/** The metrics modes that a client can send, and what each stores. */
const modes = [
  ...[undefined, 0, 'AUTO', 'METRICS_MODE_AUTO', 'METRICS_MODE_UNSPECIFIED'].map((mode) => [mode, 'pull'] as const),
  ...['PULL', 'METRICS_MODE_PULL', 1].map((mode) => [mode, 'exposed'] as const),
  ...['PUSH', 'METRICS_MODE_PUSH', 2].map((mode) => [mode, 'push'] as const),
] as const;

const native = async (path: string) => (await inventory.request('GET', path)).body;

const isProcess = (type: string): type is ProcessType => Object.hasOwn(processTypes, type);

/** The address on which the agent process makes an exporter listen. */
async function listenAddress(agent: any): Promise<string | undefined> {
  if (!isProcess(agent.agent_type)) return undefined;
  const [id] = agent.insights.service_ids;
  const exporter = exporterOf(agent.agent_type, {
    agent: z.parse(desiredAgentSchema, agent),
    service: id === undefined ? undefined : z.parse(desiredServiceSchema, await native(`/v1/services/${id}`)),
    process: { generation: 3, version: '3.5.0' },
    delimiters: delimitersFor([]),
  });
  return exporter?.args.find((argument) => argument.startsWith('--web.listen-address='))?.split(/[=:]/)[1];
}

/** The labels of the target in the list for every scraper; undefined: the agent is no target there. */
async function labelsOf({ agent_id: id, pmm_agent_id: process }: any): Promise<Record<string, string> | undefined> {
  const body = { agents: [{ agent_id: id, status: 'running', listen_port: 42_001 }] };
  if (process !== undefined) await inventory.request('POST', `/v1/agents/${process}/report`, { body });
  const groups = await native(`/v1/discovery/prometheus?selector=agent_id=${id}`);
  return groups[0]?.labels;
}

/** Field, address and label of each exporter say the same. */
async function expectMode(agents: readonly any[], stored: (typeof modes)[number][1], isExposedByFlag = false) {
  for (const agent of agents) {
    const isExposed = stored === 'exposed' || isExposedByFlag;
    const hasOption = agent.expose_exporter !== undefined;
    const label = hasOption ? String(isExposed) : undefined;
    const shown = {
      type: agent.agent_type,
      ...{ push: agent.push_metrics, exposed: agent.expose_exporter, listens: await listenAddress(agent) },
      label: (await labelsOf(agent))?.['__meta_inventory_expose_exporter'],
    };
    expect(shown).toEqual({
      ...{ type: agent.agent_type, push: stored === 'push' },
      exposed: hasOption ? isExposed : undefined,
      listens: isProcess(agent.agent_type) ? (isExposed ? '' : '127.0.0.1') : undefined,
      label: stored === 'push' ? undefined : label,
    });
  }
}

const exportersIn = ({ agents }: { agents: any[] }) => agents.filter(({ push_metrics: push }) => push !== undefined);

const flagsOf = (agents: (typeof managedServices)[number]['agents']) =>
  Object.fromEntries(agents.flatMap(({ flag }) => (flag === undefined ? [] : [[flag, true]])));

describe.each(modes)('the metrics mode %p is %s', (metrics_mode, stored) => {
  test('for the node_exporter of a registration, also a repeated one', async () => {
    const sent = hostMessage({ metrics_mode });
    const added = await client.post('/v1/management/nodes', sent);
    const path = `/v1/agents?pmm_agent_id=${added.pmm_agent.agent_id}`;
    await expectMode(exportersIn(await native(path)), stored);
    await client.post('/v1/management/nodes', { ...sent, reregister: true, expose_exporter: true });
    await expectMode(exportersIn(await native(path)), stored, true);
    await client.post('/v1/management/nodes', { ...sent, reregister: true });
    await expectMode(exportersIn(await native(path)), stored);
  });

  test.each(
    [...managedServices, managedRds.mysql, managedRds.postgresql].map(
      (managed) => [`${managed.key} ${managed.service}`, managed] as const,
    ),
  )('for %s', async (_, { key, service, agents }) => {
    const { nodeId, pmmAgentId } = await registeredHost();
    const name = uniqueName('service');
    const serviceFields =
      key === 'rds'
        ? { region: 'us-east-1', instance_id: name, engine: `DISCOVER_RDS_ENGINE_${service.toUpperCase()}` }
        : { service_name: name, node_id: nodeId, ...(key === 'external' ? { runs_on_node_id: nodeId } : {}) };
    const sent = {
      ...{
        ...serviceFields,
        ...flagsOf(agents),
        pmm_agent_id: pmmAgentId,
        username: 'u',
        address: 'db.example',
        port: 3306,
      },
      ...{ listen_port: 9121, metrics_mode },
    };
    const reply = (await client.post('/v1/management/services', { [key]: sent }))[key];
    const { service_id: id } = reply.service ?? reply[service];
    const exporters = exportersIn(await native(`/v1/agents?service_id=${id}`));
    expect(exporters.length).toBeGreaterThan(0);
    await expectMode(exporters, stored);
  });
});
