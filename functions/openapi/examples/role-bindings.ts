import type { Examples } from './example.ts';
import { added } from './objects.ts';

const roleBindingToAdd = {
  name: 'deployments',
  provider: 'github',
  claims: { repository_id: ['74129'], environment: ['production'] },
  role: 'Editor',
  owners: ['shop'],
  description: 'Deployments of the shop',
};

const roleBinding = {
  toAdd: roleBindingToAdd,
  shown: {
    binding_id: roleBindingToAdd.name,
    ...roleBindingToAdd,
    created_by: { kind: 'user', id: 'admin', name: 'admin' },
    ...added,
  },
};

const { owners: _owners, ...unlimitedBinding } = roleBinding.shown;

export const roleBindingsExamples = {
  addRoleBinding: {
    deployments: {
      summary: 'The deployments of one repository change objects of one team',
      body: roleBinding.toAdd,
      reply: roleBinding.shown,
    },
  },
  listRoleBindings: { all: { summary: 'All role bindings', reply: { role_bindings: [roleBinding.shown] } } },
  getRoleBinding: {
    one: { summary: 'A role binding', params: { binding_id: roleBinding.toAdd.name }, reply: roleBinding.shown },
  },
  previewRoleBindings: {
    production: {
      summary: 'The role of a deployment',
      body: { provider: 'github', claims: { repository_id: '74129', environment: 'production' } },
      reply: {
        role: 'Editor',
        owners: ['shop'],
        bindings: [{ binding_id: 'deployments', role: 'Editor', matched: true, missing_claims: [] }],
      },
    },
    nobody: {
      summary: 'An identity without access, and why',
      body: { provider: 'github', claims: { repository_id: '74129' } },
      reply: {
        bindings: [{ binding_id: 'deployments', role: 'Editor', matched: false, missing_claims: ['environment'] }],
      },
    },
  },
  changeRoleBinding: {
    viewer: {
      summary: 'A lower role, without owners',
      params: { binding_id: roleBinding.toAdd.name },
      body: { role: 'Viewer', owners: null },
      reply: { ...unlimitedBinding, role: 'Viewer', revision: 2, updated_at: '2026-03-02T12:00:00.000Z' },
    },
  },
  removeRoleBinding: { one: { summary: 'A role binding', params: { binding_id: roleBinding.toAdd.name } } },
} satisfies Examples;
