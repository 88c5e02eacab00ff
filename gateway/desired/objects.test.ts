import * as z from 'zod/mini';
import { desiredAgentSchema, desiredServiceSchema } from './objects.ts';

test('an agent of a later type is read, with the fields that decide what runs', () => {
  const agent = { agent_id: 'a', agent_type: 'oracle_exporter', disabled: false, insights: { service_ids: ['s'] } };
  const more = { disable_collectors: ['zfs'], expose_exporter: false, pmm_agent_id: 'p' };
  expect(
    z.parse(desiredAgentSchema, { ...agent, ...more, push_metrics: true, listen_port: 9100, revision: 2 }),
  ).toEqual({
    ...agent,
    ...more,
  });
});

test.each([['agent_id'], ['agent_type'], ['disabled'], ['insights']])('an agent without %s is no agent', (field) => {
  const agent = { agent_id: 'a', agent_type: 'node_exporter', disabled: false, insights: { service_ids: [] } };
  expect(z.safeParse(desiredAgentSchema, { ...agent, [field]: undefined }).success).toBe(false);
});

test('a service needs no address, and is read without the fields that exporters do not get', () => {
  const service = { service_id: 's', service_name: 'db-1', service_type: 'mysql', custom_labels: { a: 'b' } };
  expect(z.parse(desiredServiceSchema, service)).toEqual({ service_id: 's', service_name: 'db-1' });
  expect(z.parse(desiredServiceSchema, { ...service, address: '10.0.0.1', port: 3306 })).toMatchObject({ port: 3306 });
});
