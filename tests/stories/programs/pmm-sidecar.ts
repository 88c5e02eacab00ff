/** The requests of `pmm-client`, the sidecar of Percona's operators: set-up, add, annotate, and unregister in preStop. */
import { once } from 'node:events';

const { INVENTORY_URL: server = '', INVENTORY_KEY: key = '', CLUSTER = '', DB_TYPE = '' } = process.env;
const { POD_NAMESPACE = '', POD_NAME = '', POD_IP = '' } = process.env;
const name = `${POD_NAMESPACE}-${POD_NAME}`;
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' };
async function request(method: string, path: string, fields?: object): Promise<any> {
  const body = fields === undefined ? {} : { body: JSON.stringify(fields) };
  const response = await fetch(server + path, { method, headers, ...body });
  // After a restart the service exists, and the script of the operator continues.
  if (response.status !== 200 && response.status !== 409)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

// pmm-agent setup --force
const { pmm_agent: agent } = await request('POST', '/v1/management/nodes', {
  ...{ node_type: 'NODE_TYPE_CONTAINER_NODE', node_name: name, address: POD_IP, machine_id: '', distro: 'linux' },
  ...{ reregister: true, metrics_mode: 'METRICS_MODE_PUSH', disable_collectors: null, custom_labels: null },
});
const common = {
  ...{ node_id: agent.runs_on_node_id, pmm_agent_id: agent.agent_id, service_name: name, cluster: CLUSTER },
  ...{ address: '127.0.0.1', username: 'monitor', password: 'canary-of-pod', skip_connection_check: true },
  ...{ metrics_mode: 'METRICS_MODE_PUSH', disable_collectors: null, log_level: 'LOG_LEVEL_WARN' },
};
const databases: Record<string, object> = {
  mysql: { port: 33062, qan_mysql_perfschema: true, max_slowlog_file_size: '0', tablestats_group_table_limit: 1000 },
  mongodb: { port: 27017, qan_mongodb_profiler: true, stats_collections: null },
  postgresql: { port: 5432, qan_postgresql_pgstatmonitor_agent: true },
};
await request('POST', '/v1/management/services', { [DB_TYPE]: { ...common, ...databases[DB_TYPE] } });
const annotation = { text: 'Service restarted', tags: [''], node_name: '', service_names: [name] };
await request('POST', '/v1/management/annotations', annotation);
process.stdout.write(`${agent.agent_id}\n`);
process.stdin.resume(); // Keeps the program alive.
await once(process, 'SIGTERM');
process.stdin.destroy();
await request('GET', `/v1/inventory/nodes/${agent.runs_on_node_id}`);
await request('DELETE', `/v1/management/nodes/${agent.runs_on_node_id}?force=true`);
