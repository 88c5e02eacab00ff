/** A fleet of MySQL hosts as a server of PMM 2 lists it: each with pmm-agent, and the agents that `pmm-admin add mysql` adds. */

const idOf = (kind: number, host: number) => `7a1c0000-0000-4000-8${kind}00-${String(host).padStart(12, '0')}`;

export const processIdOf = (host: number): string => `/agent_id/${idOf(1, host)}`;

const none = { environment: '', cluster: '', replication_set: '', custom_labels: {} };
const exporter = {
  disabled: false,
  custom_labels: {},
  push_metrics_enabled: true,
  status: 'RUNNING',
  // The next start has another one.
  listen_port: 42_501,
};

/**
 * Replies by method and path.
 *
 * @param hosts names of the hosts; those of their services have a slash at every second one.
 */
export function pmmReplies(hosts: readonly string[]): Record<string, object> {
  const all = <Value>(build: (host: string, index: number) => Value) => hosts.map(build);
  const serverNode = { node_id: 'pmm-server', node_name: 'pmm-server', address: '127.0.0.1', distro: 'linux' };
  const nodes = {
    generic: [
      serverNode,
      ...all((name, index) => ({
        ...{
          node_id: `/node_id/${idOf(0, index)}`,
          node_name: name,
          address: name,
          machine_id: `/machine_id/${index}`,
        },
        ...{ distro: 'linux', node_model: '', region: 'eu', az: '', custom_labels: { team: 'shop' } },
      })),
    ],
  };
  const services = {
    mysql: all((name, index) => ({
      ...{ service_id: `/service_id/${idOf(2, index)}`, service_name: serviceNameOf(name, index) },
      ...{
        node_id: `/node_id/${idOf(0, index)}`,
        address: '127.0.0.1',
        port: 3306,
        socket: '',
        ...none,
        cluster: 'shop',
      },
    })),
  };
  const under = (kind: number, index: number) => ({
    agent_id: `/agent_id/${idOf(kind, index)}`,
    pmm_agent_id: processIdOf(index),
  });
  const agents = {
    pmm_agent: all((_, index) => ({
      ...{
        agent_id: processIdOf(index),
        runs_on_node_id: `/node_id/${idOf(0, index)}`,
        connected: true,
        custom_labels: {},
      },
    })),
    vm_agent: all((_, index) => ({ ...under(3, index), status: 'RUNNING', listen_port: 8429 })),
    node_exporter: all((_, index) => ({
      ...under(4, index),
      ...exporter,
      listen_port: 42_500,
      disabled_collectors: [],
    })),
    mysqld_exporter: all((_, index) => ({
      ...{ ...under(5, index), ...exporter, service_id: `/service_id/${idOf(2, index)}`, username: 'pmm', tls: false },
      ...{ tls_skip_verify: false, tablestats_group_table_limit: 1000, tablestats_group_disabled: false },
      disabled_collectors: [],
    })),
    qan_mysql_perfschema_agent: all((_, index) => ({
      ...{ ...under(6, index), service_id: `/service_id/${idOf(2, index)}`, username: 'pmm', disabled: false },
      ...{ custom_labels: {}, status: 'RUNNING', query_examples_disabled: false },
    })),
  };
  return {
    'POST /v1/inventory/Nodes/List': nodes,
    'POST /v1/inventory/Services/List': services,
    'POST /v1/inventory/Agents/List': agents,
  };
}

/** The name of the service on a host. */
export const serviceNameOf = (host: string, index: number): string =>
  index % 2 === 0 ? `shop/${host}` : `${host}-mysql`;
