import { bodyField, bodyOptions, type BodyName, fieldsOfBody } from '../command/body-flags.ts';
import { fieldNamed, flagOf, labelIn } from './field-names.ts';
import { bodies } from '../generated/bodies.ts';
import { lists } from '../generated/lists.ts';
import { kindOf } from '../objects/objects.ts';

const isBody = (name: string): name is BodyName => name in bodies;

const names = Object.keys(bodies).filter(isBody);

test.each([
  ['node', 'model', 'node_model'],
  ['node', 'node_model', 'node_model'],
  ['node', 'node-model', 'node_model'],
  ['node', 'type', 'node_type'],
  ['service', 'type', 'service_type'],
  ['agent', 'insights.service_ids', 'insights.service_ids'],
  ['agent', 'insights-service-ids', 'insights.service_ids'],
  ['agent', 'extra-dsn-params-allow-cleartext-passwords', 'extra_dsn_params.allowCleartextPasswords'],
  ['service', 'model', undefined],
  ['node', 'service_type', undefined],
  ['node', '', undefined],
] as const)('of a %s, %s is the field %s', (kind, text, path) => expect(bodyField(kind, text)?.path).toBe(path));

test('no two fields of a body or list share a spelling', () => {
  const spellings = (kind: string | undefined, fields: readonly string[]) =>
    fields.map((field) => flagOf(kind ?? '', field));
  for (const name of names) {
    const short = spellings(
      name,
      fieldsOfBody(name).map(({ path }) => path),
    );
    expect([name, new Set(short).size]).toEqual([name, short.length]);
  }
  for (const [items, { wide, filters }] of Object.entries(lists))
    for (const fields of [wide, filters.map((filter) => filter.name)]) {
      const short = spellings(kindOf(items), fields);
      expect([items, new Set(short).size]).toEqual([items, short.length]);
    }
});

test('each flag of a body is a spelling of its field', () => {
  for (const name of names)
    for (const { flags } of bodyOptions(name, [])) {
      const [, flag = ''] = /^--([\w-]+)/.exec(flags) ?? [];
      expect([flag, bodyField(name, flag)]).toEqual([flag, expect.anything()]);
    }
});

test('an API name is that field, whatever else its short form could be', () => {
  expect(fieldNamed('node', ['node_id', 'id'], 'id')).toBe('id');
  expect(fieldNamed('node', ['node_id', 'id'], 'node_id')).toBe('node_id');
});

test.each([
  ['label.team', 'team'],
  ['labels.team', 'team'],
  ['custom_labels.team', 'team'],
  ['label.a.b', 'a.b'],
  ['label.', undefined],
  ['label', undefined],
  ['mylabel.team', undefined],
])('%s names the label %s', (text, label) => expect(labelIn(text)).toBe(label));
