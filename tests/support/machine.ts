import { randomUUID } from 'node:crypto';
import { newRecord } from '../../functions/domain/fields/record.ts';
import { type Entity, toEntity } from '../../functions/store/entities/entity.ts';
import { newNode } from './stored-objects.ts';
import { testTime } from './test-time.ts';

/**
 * A machine with a database, an agent process and an exporter of each: two targets.
 *
 * @param newId ids of objects; random by default.
 */
export function newMachine(number: number, newId: () => string = randomUUID): Entity[] {
  const record = newRecord(testTime());
  const node = newNode(number, newId);
  const service = {
    service_id: newId(),
    service_type: 'mysql',
    service_name: `mysql-${node.node_name}`,
    node_ids: [node.node_id],
    address: node.address,
    port: 3306,
    environment: 'prod',
    cluster: `pxc-${Math.floor(number / 3)}`,
    custom_labels: { team: 'payments' },
    ...record,
  };
  const process = {
    agent_id: newId(),
    agent_type: 'pmm_agent',
    runs_on_node_id: node.node_id,
    insights: { node_ids: [], service_ids: [] },
    disabled: false,
    connected: true,
    custom_labels: {},
    ...record,
  };
  const exporter = (type: string, port: number, serviceIds: string[]) => ({
    agent_id: newId(),
    agent_type: type,
    runs_on_node_id: node.node_id,
    pmm_agent_id: process.agent_id,
    insights: { node_ids: type === 'node_exporter' ? [node.node_id] : [], service_ids: serviceIds },
    status: 'running',
    disabled: false,
    listen_port: port,
    push_metrics: false,
    expose_exporter: true,
    disable_collectors: [],
    ...(type === 'node_exporter' ? {} : { tls: false, tls_skip_verify: false, tablestats_group_table_limit: 0 }),
    metrics_resolutions: { hr: '5s', mr: '10s', lr: '60s' },
    custom_labels: {},
    ...record,
  });
  return [
    toEntity('node', node),
    toEntity('service', service),
    toEntity('agent', process),
    toEntity('agent', exporter('node_exporter', 9100, [])),
    toEntity('agent', exporter('mysqld_exporter', 9104, [service.service_id])),
  ];
}
