import { randomBytes } from 'node:crypto';
import { fakeTable } from '../../tests/support/table.ts';
import { testTime } from '../../tests/support/test-time.ts';
import { hashInvitationSecret, newInvitationSecret } from '../../shared/auth/api-key-text.ts';
import { fakeUserPasswordHash } from '../../shared/auth/password.ts';
import { LogInRefusal } from '../contract/refusal.ts';
import type { Dependencies } from '../runtime/dependencies.ts';
import { userOfProof } from './user-of-proof.ts';

const attempt = { sourceIp: '192.0.2.1', requestId: 'r', now: testTime() };
const seconds = Math.floor(testTime().getTime() / 1000);
const invitation = newInvitationSecret(randomBytes);

/** A user who has a password, and is invited to set another one until a second from now. */
const maria = {
  ...{ user_id: 'maria', user_name: 'maria', provider: 'local', role: 'Viewer', version: 'v' },
  ...{ created_at: testTime().toISOString(), created_by: { kind: 'user', id: 'admin', name: 'admin' } },
  ...{ password_hash: 'of maria', invitation_hash: hashInvitationSecret(invitation) },
  invitation_expires_at: seconds + 1,
};

/** The user of a proof if this is who the table contains, or the reason of the refusal and the user whom it concerns. */
async function outcomeOf(proof: object, stored: object | undefined) {
  let reads = 0;
  const checks: string[] = [];
  const dependencies = {
    table: fakeTable(() => {
      reads += 1;
      return stored === undefined ? {} : { Item: stored };
    }),
    checkPassword: ({ account, password }: { account: { password_hash: string }; password: string }) => {
      checks.push(account.password_hash);
      return Promise.resolve(account.password_hash === 'of maria' && password === 'right');
    },
  } as unknown as Dependencies;
  try {
    const user = await userOfProof({ user_name: 'maria', new_password: 'x', ...proof } as never, attempt, dependencies);
    return { user: user.user_id, reads, checks };
  } catch (error) {
    if (!(error instanceof LogInRefusal)) throw error;
    return { reason: error.reason, subject: error.subject?.id, reads, checks };
  }
}

const byPassword = (password: string, stored: object | undefined) =>
  outcomeOf({ method: 'password', password }, stored);
const byInvitation = (text: string, stored: object | undefined) =>
  outcomeOf({ method: 'invitation', invitation: text }, stored);

test('the right password proves a user, and the audit contains the reason of each refusal', async () => {
  expect(await byPassword('right', maria)).toMatchObject({ user: 'maria', checks: ['of maria'] });
  expect(await byPassword('wrong', maria)).toMatchObject({ reason: 'wrong_password', subject: 'maria' });
  expect(await byPassword('right', undefined)).toMatchObject({ reason: 'unknown_user', subject: undefined });
  const disabled = { ...maria, disabled: true };
  expect(await byPassword('right', disabled)).toMatchObject({ reason: 'disabled_user', subject: 'maria' });
  expect(await byPassword('wrong', disabled)).toMatchObject({ reason: 'wrong_password', subject: 'maria' });
});

test('a password is also checked for a missing user or password, so that the time reveals nothing', async () => {
  const { password_hash: _, ...invited } = maria;
  expect(await byPassword('right', undefined)).toMatchObject({ checks: [fakeUserPasswordHash] });
  expect(await byPassword('right', invited)).toMatchObject({
    ...{ reason: 'wrong_password', subject: 'maria', checks: [fakeUserPasswordHash] },
  });
});

test('the present invitation proves a user until its end, and the audit contains the reason of each refusal', async () => {
  expect(await byInvitation(invitation, maria)).toMatchObject({ user: 'maria' });
  const refused = { reason: 'invalid_invitation', subject: 'maria' };
  expect(await byInvitation(newInvitationSecret(randomBytes), maria)).toMatchObject(refused);
  expect(await byInvitation(invitation, { ...maria, invitation_expires_at: seconds })).toMatchObject(refused);
  const { invitation_hash: _hash, invitation_expires_at: _end, ...accepted } = maria;
  expect(await byInvitation(invitation, accepted)).toMatchObject(refused);
  expect(await byInvitation(invitation, undefined)).toMatchObject({ reason: 'unknown_user', subject: undefined });
  expect(await byInvitation(invitation, { ...maria, disabled: true })).toMatchObject({ reason: 'disabled_user' });
});

test('a user of a provider cannot use a stored password, because its role was never granted', async () => {
  const forged = { ...maria, provider: 'corporate', granted_role: 'Admin' };
  expect(await byPassword('right', forged)).toMatchObject({
    ...{ reason: 'unknown_user', checks: [fakeUserPasswordHash] },
  });
  expect(await byInvitation(invitation, forged)).toMatchObject({ reason: 'unknown_user' });
});

test('a text that is no invitation is refused before the table is read', async () => {
  expect(await byInvitation('guess', maria)).toMatchObject({
    reason: 'invalid_invitation',
    subject: undefined,
    reads: 0,
  });
});
