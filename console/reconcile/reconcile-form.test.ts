import { NotJson, type ReconcileForm, requestOf, withFile } from './reconcile-form.ts';

const empty: ReconcileForm = { namePrefix: '', selector: '', maxRemovals: '', desired: '' };

test('empty fields are not in the request', () => {
  expect(requestOf(empty)).toEqual({ scope: {} });
  const form = { namePrefix: 'shop-', selector: ' team=shop ', maxRemovals: '12.5 %', desired: '{"nodes":[]}' };
  expect(requestOf(form)).toEqual({
    scope: { name_prefix: 'shop-', selector: 'team=shop' },
    desired: { nodes: [] },
    max_removals_percent: 12.5,
  });
});

test('an invalid share is left to the contract; invalid JSON is a violation', () => {
  expect(requestOf({ ...empty, maxRemovals: 'half' })).toMatchObject({ max_removals_percent: 'half' });
  expect(() => requestOf({ ...empty, desired: '{' })).toThrow(NotJson);
});

test('a file is the desired state, or a whole request with its scope', () => {
  const form = { ...empty, namePrefix: 'old-', maxRemovals: '5' };
  expect(withFile(form, '{"nodes":[]}')).toEqual({ ...form, desired: '{"nodes":[]}' });
  expect(withFile(form, 'no JSON')).toEqual({ ...form, desired: 'no JSON' });
  const request = { scope: { selector: 'team=shop' }, desired: { nodes: [] }, max_removals_percent: 7 };
  expect(withFile(form, JSON.stringify(request))).toEqual({
    namePrefix: '',
    selector: 'team=shop',
    maxRemovals: '7',
    desired: JSON.stringify({ nodes: [] }, null, 2),
  });
});
