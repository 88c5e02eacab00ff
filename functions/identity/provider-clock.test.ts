import type { IdentityProvider } from '../domain/fields/identity-providers.ts';
import { clockFailure } from './provider-clock.ts';

const provider = { name: 'company', kind: 'oidc', issuer: 'https://issuer.example.com' } as IdentityProvider;
const now = new Date('2026-03-02T10:30:00Z');

const failureOf = (date: string, age?: string) =>
  clockFailure(provider, new Headers({ date, ...(age === undefined ? {} : { age }) }), now)?.sentence;

test('a difference within the tolerance of tokens, and a reply without a time, are no failure', () => {
  for (const date of ['Mon, 02 Mar 2026 10:29:30 GMT', 'Mon, 02 Mar 2026 10:30:30 GMT', 'soon'])
    expect(failureOf(date)).toBeUndefined();
  expect(clockFailure(provider, new Headers(), now)).toBeUndefined();
});

test.each([
  ['Mon, 02 Mar 2026 10:29:29 GMT', '31 seconds ahead of'],
  ['Mon, 02 Mar 2026 10:30:31 GMT', '31 seconds behind'],
])('with the date %s the clock of the service is %s', (date, words) => {
  expect(clockFailure(provider, new Headers({ date }), now)).toMatchObject({ problem: 'clock' });
  expect(failureOf(date)).toContain(`the clock of this server is ${words} its clock`);
});

test('the time of a cached reply is ignored', () => {
  expect(failureOf('Mon, 02 Mar 2026 10:20:00 GMT', '600')).toBeUndefined();
  expect(failureOf('Mon, 02 Mar 2026 10:30:00 GMT', '600')).toContain('600 seconds behind');
});
