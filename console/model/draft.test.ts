import fc from '../../shared/testing/fast-check.ts';
import { mergePatch } from '../../functions/domain/fields/merge-patch.ts';
import { endpoint as addAgent } from '../../functions/api/agents/add/endpoint.ts';
import { endpoint as addNode } from '../../functions/api/nodes/add/endpoint.ts';
import { endpoint as addService } from '../../functions/api/services/add/endpoint.ts';
import { draftOf, jsonOf, labelViolations, patchOf, rebase, withDraft } from './draft.ts';
import { typesOf } from './fields.ts';

const fieldsOf = (addition: Parameters<typeof typesOf>[0], type: string) =>
  typesOf(addition).find((candidate) => candidate.type === type)!.fields;

const service = fieldsOf(addService.body, 'mysql');
const exporter = fieldsOf(addAgent.body, 'mysqld_exporter');

const name = fc.constantFrom('a', 'b', 'c');
const object = fc.dictionary(
  name,
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()), fc.dictionary(name, fc.string())),
);

test('a patch, merged as by the server, leads from one object to the other', () => {
  fc.assert(
    fc.property(object, object, (before, after) => {
      expect(mergePatch(before, patchOf(before, after))).toEqual(after);
    }),
  );
});

test('a patch contains only changes', () => {
  fc.assert(fc.property(object, (same) => expect(patchOf(same, structuredClone(same))).toEqual({})));
});

test('an unchanged form returns its object', () => {
  const whole = {
    service_name: 'orders',
    node_ids: ['n1', 'n2'],
    address: '10.0.0.1',
    port: 3306,
    cluster: 'pxc',
    custom_labels: { team: 'payments' },
  };
  expect(jsonOf(service, draftOf(service, whole))).toEqual(whole);
  const agent = {
    pmm_agent_id: 'p1',
    insights: { node_ids: [], service_ids: ['s1'] },
    disabled: true,
    metrics_resolutions: { hr: '5s' },
    disable_collectors: ['a', 'b'],
    log_level: 'warn',
    tablestats_group_table_limit: -1,
  };
  expect(jsonOf(exporter, draftOf(exporter, agent))).toMatchObject(agent);
});

test('values of one type are kept while another type has no field for them', () => {
  const without = fieldsOf(addAgent.body, 'pmm_agent');
  const given = { username: 'monitor', insights: { node_ids: [], service_ids: ['s1'] } };
  const between = withDraft(draftOf(without, {}), draftOf(exporter, given));
  expect(jsonOf(without, between)).not.toHaveProperty('username');
  expect(jsonOf(exporter, withDraft(draftOf(exporter, {}), between))).toMatchObject(given);
});

test('a field has the same kind of control for every type', () => {
  for (const { body } of [addAgent, addService, addNode]) {
    const kinds = new Map<string, Set<string>>();
    for (const { fields } of typesOf(body))
      for (const { name: field, control } of fields)
        kinds.set(field, (kinds.get(field) ?? new Set()).add(control.kind));
    for (const [field, several] of kinds) expect([field, several.size]).toEqual([field, 1]);
  }
});

test('empty values are omitted, and an invalid number is left to the contract', () => {
  const draft = { ...draftOf(service, {}), service_name: 'x', port: '33o6' };
  expect(jsonOf(service, draft)).toEqual({ service_name: 'x', node_ids: [], port: '33o6', custom_labels: {} });
});

test('an empty number is omitted', () => {
  expect(jsonOf(service, { ...draftOf(service, {}), port: ' ' })).not.toHaveProperty('port');
  expect(jsonOf(service, { ...draftOf(service, {}), port: '0' })).toHaveProperty('port', 0);
});

test('an emptied part is cleared alone', () => {
  const before = draftOf(exporter, { metrics_resolutions: { hr: '5s', mr: '10s' } });
  const after = { ...before, metrics_resolutions: { hr: '5s', mr: '', lr: '' } };
  expect(patchOf(jsonOf(exporter, before), jsonOf(exporter, after))).toEqual({ metrics_resolutions: { mr: null } });
});

test('a duplicate label is a violation, and no label is lost', () => {
  const row = { name: 'team', value: 'a' };
  const violations = labelViolations(service, { custom_labels: [row, { ...row, value: 'b' }] });
  expect(violations).toEqual([
    { field: 'custom_labels', reason: 'duplicate', message: 'The label "team" exists twice.' },
  ]);
});

test("the user's changes apply on top of another user's", () => {
  const base = draftOf(service, { cluster: 'old', environment: 'old', version: '1' });
  const mine = { ...base, cluster: 'mine', environment: 'mine' };
  const theirs = draftOf(service, { cluster: 'old', environment: 'theirs', version: '2' });
  expect(rebase(service, { mine, base, theirs })).toMatchObject({ cluster: 'mine', environment: 'mine', version: '2' });
});

test('labels are merged one by one, lists by entry, groups by part', () => {
  const draft = (labels: object, collectors: string[], resolutions: object, targets: string[]) =>
    draftOf(exporter, {
      custom_labels: labels,
      disable_collectors: collectors,
      metrics_resolutions: resolutions,
      insights: { node_ids: [], service_ids: targets },
    });
  const base = draft({ a: '1', b: '1', c: '1', d: '1', gone: '1' }, ['x'], { hr: '5s', mr: '5s' }, ['s1', 's2']);
  // The user changes a and d, removes b, adds e; somebody else changes c and d, removes `gone`, adds f.
  const mine = draft({ a: '2', c: '1', d: '2', gone: '1', e: '1' }, ['x', 'y'], { hr: '9s', mr: '5s' }, ['s1', 's3']);
  const theirs = draft({ a: '1', b: '1', c: '3', d: '3', f: '1' }, ['x', 'z'], { hr: '5s', mr: '9s' }, [
    's1',
    's2',
    's4',
  ]);
  expect(jsonOf(exporter, rebase(exporter, { mine, base, theirs }))).toMatchObject({
    custom_labels: { a: '2', c: '3', d: '2', e: '1', f: '1' },
    disable_collectors: ['x', 'z', 'y'],
    metrics_resolutions: { hr: '9s', mr: '9s' },
    insights: { service_ids: ['s1', 's4', 's3'] },
  });
});

test('a form without own changes takes the changes of another user', () => {
  const labels = fc.dictionary(name, fc.string());
  fc.assert(
    fc.property(labels, labels, labels, (first, second, third) => {
      const [base, theirs] = [draftOf(service, { custom_labels: first }), draftOf(service, { custom_labels: second })];
      const labelsIn = (mine: typeof base) => jsonOf(service, rebase(service, { mine, base, theirs }))['custom_labels'];
      expect(labelsIn(base)).toEqual(second);
      // And what the user changes is in it, whatever somebody else did.
      const merged = labelsIn(draftOf(service, { custom_labels: third })) as Record<string, string>;
      for (const [label, value] of Object.entries(third)) if (first[label] !== value) expect(merged[label]).toBe(value);
      for (const label of Object.keys(first)) if (!(label in third)) expect(merged).not.toHaveProperty(label);
    }),
  );
});
