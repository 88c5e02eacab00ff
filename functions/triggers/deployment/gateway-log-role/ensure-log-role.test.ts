import { ensureLogRole } from './ensure-log-role.ts';

const roles = new Set(['arn:ours', 'arn:theirs']);

/** An account with a role before, in which a new role can be read after a number of reads. */
function accountWith(before: string | undefined, hiddenReads = 0) {
  let [role, hidden, sets] = [before, 0, 0];
  const step = ensureLogRole(
    {
      logRole: () => Promise.resolve(hidden-- > 0 ? before : role),
      setLogRole: (arn) => {
        [role, hidden] = [arn, sets === 0 ? hiddenReads : 0];
        sets += 1;
        return Promise.resolve();
      },
      roleExists: (arn) => Promise.resolve(roles.has(arn)),
    },
    { reads: 3, pauseMs: 0 },
  );
  return { step, role: () => role };
}

async function after(before: string | undefined): Promise<string | undefined> {
  const { step, role } = accountWith(before);
  await step.provide({ RoleArn: 'arn:ours' });
  return role();
}

test('an account without a role for gateway logs gets ours', async () => {
  expect(await after(undefined)).toBe('arn:ours');
  expect(await after('')).toBe('arn:ours');
});

test('an existing role stays, because other APIs of the account use it', async () => {
  expect(await after('arn:theirs')).toBe('arn:theirs');
});

test('a role that no longer exists is replaced', async () => {
  expect(await after('arn:removed')).toBe('arn:ours');
});

test('the step fails while the new role cannot be read, and a retry succeeds once it can', async () => {
  const { step, role } = accountWith(undefined, 2);
  await expect(step.provide({ RoleArn: 'arn:ours' })).rejects.toThrow('cannot be read yet');
  await step.provide({ RoleArn: 'arn:ours' });
  expect(role()).toBe('arn:ours');
});

test('a role stays when the stack is removed, because other APIs may use it', () => {
  expect(accountWith('arn:ours').step).not.toHaveProperty('remove');
});
