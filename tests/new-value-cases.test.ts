/** The cases of the rules for new values, which the Terraform provider is tested with (clients/terraform/internal/fields), have the verdict of the server. */
import { readFile } from 'node:fs/promises';
import type { ObjectKind } from '../functions/domain/fields/object-kind.ts';
import { CASES_FILE, type NewValueCase } from '../tools/terraform-rules.ts';
import { useInventory } from './support/fixtures.ts';

const cases: NewValueCase[] = JSON.parse(await readFile(new URL(`../${CASES_FILE}`, import.meta.url), 'utf8'));

const inventory = useInventory();

const label = { custom_labels: { fleet: 'cases' } };

/** A valid object with the value. */
const bodies: Record<ObjectKind, (value: object) => object> = {
  node: (value) => ({ node_type: 'generic', node_name: 'n', address: 'a', ...label, ...value }),
  service: (value) => {
    const endpoint = 'socket' in value ? {} : { address: 'a', port: 1 };
    return { service_type: 'mysql', service_name: 's', ...endpoint, ...label, ...value };
  },
  agent: (value) => ({ agent_type: 'external_exporter', listen_port: 1, runs_on_node_name: 'host', ...value }),
};

/** The message of the server about the value; null if it accepts it. */
async function messageOf({ kind, field, value }: NewValueCase): Promise<string | null> {
  const host = { node_type: 'generic', node_name: 'host', address: '10.0.0.1', ...label };
  const desired: Record<string, object[]> = { nodes: [host], services: [], agents: [] };
  desired[`${kind}s`]!.push(bodies[kind]({ [field]: value }));
  const body = { scope: { selector: 'fleet=cases' }, desired };
  const reply = await inventory.request('POST', '/v1/reconcile', { body });
  if (reply.status === 200) return null;
  expect(reply.body.details).toMatchObject([{ field: expect.stringMatching(new RegExp(`\\.${field}$`)) }]);
  return reply.body.details[0].message;
}

test.each([...new Set(cases.map(({ kind, field }) => `${kind}.${field}`))])('%s', async (name) => {
  const ownCases = cases.filter(({ kind, field }) => `${kind}.${field}` === name);
  for (const valueCase of ownCases)
    expect([valueCase.value, await messageOf(valueCase)]).toEqual([valueCase.value, valueCase.message]);
  // Both verdicts are there, and most of both do not depend on the version of Unicode.
  const count = (isWanted: (valueCase: NewValueCase) => boolean) =>
    ownCases.filter((valueCase) => valueCase.isOfUnicode !== true && isWanted(valueCase)).length;
  expect(count(({ message }) => message === null)).toBeGreaterThan(5);
  expect(count(({ message }) => message !== null)).toBeGreaterThan(10);
});
