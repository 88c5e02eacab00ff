import { type BindingDraft, draftOf, emptyDraft, fieldsOf } from './binding-fields.tsx';

const binding = {
  ...{ binding_id: 'deploys', name: 'deploys', provider: 'github', claims: { ref: ['main'] }, revision: 1 },
  ...{ created_at: '2026-03-02T09:30:00Z', updated_at: '2026-03-02T09:30:00Z' },
  created_by: { kind: 'user', id: 'maria', name: 'maria' },
  role: 'Registrar',
} as const;

test('the draft of a binding is empty where the binding has no value', () => {
  expect(draftOf(binding)).toEqual({
    ...{ claims: [{ name: 'ref', value: 'main' }], role: 'Registrar' },
    ...{ owners: [], node_name_claim: '', description: '' },
  });
  const whole = { owners: ['dba'], node_name_claim: 'host', description: 'Hosts' };
  expect(draftOf({ ...binding, ...whole })).toMatchObject(whole);
});

const draft: BindingDraft = { ...emptyDraft, owners: ['dba'], node_name_claim: 'host', description: 'Hosts' };

test.each([
  ['Viewer', { owners: ['dba'], node_name_claim: undefined }],
  ['Editor', { owners: ['dba'], node_name_claim: undefined }],
  ['Admin', { owners: undefined, node_name_claim: undefined }],
  ['Registrar', { owners: ['dba'], node_name_claim: 'host' }],
] as const)('a request has only the fields that belong to the role %s', (role, fields) => {
  expect(fieldsOf({ ...draft, role })).toEqual({ claims: {}, role, description: 'Hosts', ...fields });
});

test('a request has no field without a value', () => {
  const none = { owners: undefined, node_name_claim: undefined, description: undefined };
  expect(fieldsOf({ ...emptyDraft, role: 'Registrar' })).toEqual({ claims: {}, role: 'Registrar', ...none });
});
