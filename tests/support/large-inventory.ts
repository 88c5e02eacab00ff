import { randomUUID } from 'node:crypto';

/** Objects of one host: a node, a database, a pmm_agent and two agents under it. */
export const OBJECTS_PER_HOST = 5;

const named = (host: number) => `fleet-${String(host).padStart(5, '0')}`;

function linesOfHost(host: number): object[] {
  const name = named(host);
  const [node, service, process] = [randomUUID(), randomUUID(), randomUUID()];
  const under = { pmm_agent_id: process };
  const labels = { custom_labels: { team: `team-${host % 50}` } };
  return [
    {
      kind: 'node',
      object: {
        ...{ node_id: node, node_type: 'generic', node_name: `${name}-host`, address: `${name}.example.com` },
        ...{ region: `region-${host % 7}`, ...labels },
      },
    },
    {
      kind: 'service',
      object: {
        ...{ service_id: service, service_type: 'mysql', service_name: `${name}-db`, node_ids: [node] },
        ...{ address: `${name}.example.com`, port: 3306, cluster: `cluster-${Math.floor(host / 4)}`, ...labels },
      },
    },
    { kind: 'agent', object: { agent_id: process, agent_type: 'pmm_agent', runs_on_node_id: node } },
    { kind: 'agent', object: { agent_id: randomUUID(), agent_type: 'node_exporter', ...under } },
    {
      kind: 'agent',
      object: {
        ...{ agent_id: randomUUID(), agent_type: 'mysqld_exporter', ...under },
        insights: { service_ids: [service] },
      },
    },
  ];
}

/** Hosts of one import, which takes at most 1,000 lines. */
const HOSTS_PER_IMPORT = 200;

/** The bodies of imports that add hosts with `OBJECTS_PER_HOST` objects each. */
export function importsOf(hosts: number): string[] {
  return Array.from({ length: Math.ceil(hosts / HOSTS_PER_IMPORT) }, (_, part) => {
    const first = part * HOSTS_PER_IMPORT;
    const count = Math.min(HOSTS_PER_IMPORT, hosts - first);
    const lines = Array.from({ length: count }, (_, index) => linesOfHost(first + index)).flat();
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  });
}
