import { screen, textOf, user } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

/** A program asks, as `inventory login --device` does. */
const ask = (): Promise<any> =>
  site.write('POST', '/v1/device-authorizations', { client_name: 'inventory on build-7' });

const poll = ({ device_code }: { device_code: string }) =>
  site.api('POST', '/v1/logins', { method: 'device', device_code });

const code = () => screen.getByLabelText<HTMLInputElement>('Code');
const press = (name: string) => user.click(screen.getByRole('button', { name }));

test('a link shows the log-in, then its code, which leaves the address, and a denied program gets nothing', async () => {
  const codes = await ask();
  await site.open(new URL(codes.verification_uri_complete, location.href).hash.slice(2));
  await user.type(
    screen.getByLabelText('Password', { selector: 'input[name=password]' }),
    'correct horse battery staple',
  );
  await press('Log in');
  expect(screen.getByRole('heading', { name: 'Log in on a device' })).toBeDefined();
  expect(code().value).toBe(codes.user_code);
  expect(location.href).not.toContain(codes.user_code);
  await press('Continue');
  expect(textOf()).toContain('Approve only what you have started yourself');
  await press('Deny');
  expect(textOf()).toContain('Denied. The program gets no access.');
  const { status, body } = await poll(codes);
  expect([status, body.details[0].reason]).toEqual([400, 'access_denied']);
});

test('an unknown code is not found, and a person with an API key reads why it cannot approve', async () => {
  const codes = await ask();
  await site.at('device');
  await user.type(code(), 'BCDF-GHJK');
  await press('Continue');
  expect(textOf()).toContain('No program waits with this code.');

  const { key } = await site.write('POST', '/v1/api-keys', { name: 'of a program', role: 'Viewer' });
  await site.at('device', { key });
  expect(textOf()).toContain('Log in as a person to approve a program.');
  expect((await poll(codes)).body.details[0].reason).toBe('authorization_pending');
});
