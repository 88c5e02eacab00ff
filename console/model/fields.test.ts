import * as table from '../../functions/api/endpoint-table.ts';
import { changeableFields, type Field, typesOf } from './fields.ts';
import { filtersOf } from './filters.ts';
import { labelOf } from '../ui/words.ts';

const kinds = {
  node: { add: table.addNode.body, change: table.changeNode.body, list: table.listNodes },
  service: { add: table.addService.body, change: table.changeService.body, list: table.listServices },
  agent: { add: table.addAgent.body, change: table.changeAgent.body, list: table.listAgents },
};

const allFields = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => [field, ...(field.control.kind === 'group' ? allFields(field.control.fields) : [])]);

describe.each(Object.entries(kinds))('the form of a %s', (_, { add, change, list }) => {
  const types = typesOf(add);

  test('has a control, a label and a description for every field of every type', () => {
    expect(types.length).toBeGreaterThan(4);
    for (const { type, description, fields } of types) {
      expect([type, description]).toEqual([type, expect.stringMatching(/.\.$/)]);
      for (const { path, label, description: text } of allFields(fields)) {
        expect([path, label]).toEqual([path, expect.stringMatching(/^[A-Z]/)]);
        expect([path, typeof text]).toEqual([path, 'string']);
      }
    }
  });

  test('changes only fields that some type has', () => {
    const fieldNames = new Set(types.flatMap(({ fields }) => fields.map(({ name }) => name)));
    expect([...changeableFields(change)].filter((name) => !fieldNames.has(name))).toEqual([]);
  });

  test('has a filter for every parameter of the list that selects objects', () => {
    const names = filtersOf(list).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['selector', 'updated_since', 'state']));
    for (const general of ['page_size', 'page_token', 'fields']) expect(names).not.toContain(general);
    expect(names.length).toBeGreaterThan(2);
    const [type] = filtersOf(list);
    expect(type?.values).toEqual(types.map((objectType) => objectType.type));
  });
});

test('a field name determines the kind of its object', () => {
  const fields = allFields(typesOf(table.addAgent.body).flatMap((type) => type.fields));
  const controls = Object.fromEntries(fields.map(({ path, control }) => [path, control]));
  expect(controls['pmm_agent_id']).toEqual({ kind: 'reference', to: 'pmm_agent' });
  expect(controls['runs_on_node_id']).toEqual({ kind: 'reference', to: 'node' });
  expect(controls['insights.service_ids']).toEqual({ kind: 'references', to: 'service', max: 20 });
});

test('a name is readable as words', () => {
  expect(labelOf('node_model')).toBe('Node model');
  expect(labelOf('tls_skip_verify')).toBe('TLS skip verify');
  expect(labelOf('metrics_resolutions.hr')).toBe('High resolution');
});
