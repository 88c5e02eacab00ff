import { missingClaims } from '../../functions/domain/access/grant.ts';
import { bindingProblems } from '../../functions/domain/access/role-binding.ts';
import { publicIssuers } from '../../functions/domain/fields/identity-providers.ts';
import { claimExamples } from './claim-examples.ts';

test.each([
  ['GitHub Actions', 'https://token.actions.githubusercontent.com'],
  ['GitLab CI', 'https://gitlab.com'],
])('the example of %s has a claim that a binding for its public issuer accepts', (title, issuer) => {
  const claims = claimExamples[title] ?? {};
  const name = publicIssuers[issuer]?.find((claim) => claims[claim] !== undefined) ?? 'none';
  const binding = { provider: 'p', role: 'Viewer' as const, claims: { [name]: [String(claims[name])] } };
  const provider = { name: 'p', kind: 'jwt' as const, issuer, audience: 'inventory' };
  expect(bindingProblems(binding, [provider])).toEqual([]);
  expect(missingClaims(binding, claims)).toEqual([]);
});

test.each([
  ['Kubernetes', '/kubernetes.io/namespace', 'shop'],
  ['Kubernetes', '/kubernetes.io/serviceaccount/name', 'deployer'],
  ['AWS', '/https:~1~1sts.amazonaws.com~1/aws_account', '123456789012'],
  ['Single sign-on', 'groups', 'dba'],
])('a binding of docs/programs.md for %s, on %s, matches its example', (title, name, value) => {
  const binding = { provider: 'p', role: 'Viewer' as const, claims: { [name]: [value] } };
  expect(missingClaims(binding, claimExamples[title] ?? {})).toEqual([]);
});
