import { ensureLogRole } from './ensure-log-role.ts';

/** The role of an account after a deployment, given its role before. */
async function after(before: string | undefined): Promise<string | undefined> {
  let role = before;
  const step = ensureLogRole({
    logRole: () => Promise.resolve(role),
    setLogRole: (arn) => Promise.resolve(void (role = arn)),
  });
  await step.provide({ RoleArn: 'arn:ours' });
  return role;
}

test('an account without a role for the logs of its gateways gets ours', async () => {
  expect(await after(undefined)).toBe('arn:ours');
  expect(await after('')).toBe('arn:ours');
});

test('a role that is there stays: other APIs of the account log with it', async () => {
  expect(await after('arn:theirs')).toBe('arn:theirs');
});

test('a role is never taken away: when the stack goes, other APIs may have come to need it', () => {
  expect(ensureLogRole({ logRole: () => Promise.resolve(''), setLogRole: () => Promise.resolve() })).not.toHaveProperty(
    'remove',
  );
});
