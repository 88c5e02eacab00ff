import * as z from 'zod/mini';
import { agentAddition, agentOrStored } from '../agent/schema.ts';
import { nodeAddition, nodeOrStored } from '../node/schema.ts';
import { serviceAddition, serviceOrStored } from '../service/schema.ts';
import { checkNewValues, newValueViolations } from './stored-values.ts';

const DECOMPOSED = 'e\u0301';
const node = (more: object = {}) => ({ node_type: 'generic', node_name: 'n', address: 'a', ...more });
const service = (more: object = {}) => ({
  ...{ service_type: 'mysql', service_name: 's', address: 'a', port: 1 },
  ...more,
});
const agent = (more: object = {}) => ({ agent_type: 'external_exporter', listen_port: 1, ...more });
const fieldsIn = (schema: z.ZodMiniType, value: object) =>
  z.safeParse(schema, value).error?.issues.map(({ path }) => path.join('.')) ?? [];

test('a schema that may repeat stored values accepts only values that a newer rule refuses', () => {
  for (const [strict, lenient, value, field] of [
    [nodeAddition, nodeOrStored, node({ node_name: DECOMPOSED }), 'node_name'],
    [nodeAddition, nodeOrStored, node({ address: '169.254.169.254' }), 'address'],
    [nodeAddition, nodeOrStored, node({ address: '10.0.0.1\u00ad' }), 'address'],
    [serviceAddition, serviceOrStored, service({ service_name: 'a\u00a0b' }), 'service_name'],
    [serviceAddition, serviceOrStored, service({ address: '169.254.169.254' }), 'address'],
    [agentAddition, agentOrStored, agent({ metrics_path: '//evil' }), 'metrics_path'],
    [agentAddition, agentOrStored, agent({ metrics_path: 'm' }), 'metrics_path'],
    [agentAddition, agentOrStored, agent({ metrics_path: '/\\evil' }), 'metrics_path'],
  ] as const) {
    expect([field, fieldsIn(strict, value), fieldsIn(lenient, value)]).toEqual([field, [field], []]);
    expect(z.parse(lenient, value)).toMatchObject(value);
  }
  for (const wrong of [{ node_name: '' }, { node_name: 'a\u0000' }, { colour: 'x' }, { remove_after: '1d' }])
    expect(fieldsIn(nodeOrStored, node(wrong))).toEqual(fieldsIn(nodeAddition, node(wrong)));
  expect(fieldsIn(nodeOrStored, node({ node_name: DECOMPOSED, address: '' }))).toEqual(['address']);
});

test('only the value of the stored object may stay', () => {
  const old = node({ node_name: DECOMPOSED, address: '127.0.0.1' });
  expect(newValueViolations(nodeAddition, old, old)).toEqual([]);
  expect(newValueViolations(nodeAddition, { ...old, address: '127.0.0.2' }, old)).toMatchObject([
    { field: 'address', reason: 'invalid_format' },
  ]);
  expect(newValueViolations(nodeAddition, old).map(({ field }) => field)).toEqual(['node_name', 'address']);
  expect(() => {
    checkNewValues(nodeAddition, old);
  }).toThrow(expect.objectContaining({ kind: 'invalidArgument' }));
});
