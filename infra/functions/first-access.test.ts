import { grantsOf, resourceAt, synthesise } from '../synthesis/synthesise.ts';

test('a deployment that disables the admin account looks for other Admins, also when the providers change', () => {
  const identityProviders = [
    { name: 'company', kind: 'jwt', issuer: 'https://id.example.com', audience: 'https://inventory.example.com' },
  ] as const;
  const template = synthesise({ adminAccount: 'disabled', identityProviders });
  const { properties } = resourceAt(template, 'FirstAccess/Format/Default');
  expect(properties).toMatchObject({ AdminAccount: 'disabled', Providers: ['company'] });
  const grants = grantsOf(template, 'FirstAccess/setUp').map((grant) => JSON.stringify(grant));
  const reads = grants.filter((grant) => grant.includes('dynamodb:Query'));
  for (const partition of ['USERS', 'ROLE_BINDINGS', 'API_KEYS']) expect(reads.join()).toContain(partition);
  const { properties: authorizer }: any = resourceAt(template, 'Functions/authorizer/Function/Resource');
  expect(authorizer.Environment.Variables).toMatchObject({ ADMIN_ACCOUNT: 'disabled' });
});
