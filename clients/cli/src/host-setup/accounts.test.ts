import { checkAccount, isOnHost } from './accounts.ts';

const service = (more: object) => ({ service_id: 's', service_name: 's', service_type: 'mysql', ...more });
const hostAddresses = new Set(['10.0.0.1', 'fd00::1']);

test.each([
  {},
  { address: '127.0.0.1' },
  { address: '127.3.0.1' },
  { address: '::1' },
  { address: 'localhost' },
  { address: '10.0.0.1' },
  { address: 'fd00::1' },
  { address: '10.0.0.9', socket: '/run/my.sock' },
])('a database at an address of the host gets the password: %j', (more) =>
  expect(isOnHost(service(more), hostAddresses)).toBe(true),
);

test.each(['10.0.0.2', 'db-1.example.com', '127.example.com', '2130706433'])(
  'a database at %s gets no password, because an Editor can write any address',
  (address) => expect(isOnHost(service({ address }), hostAddresses)).toBe(false),
);

test.each([
  [{ user: 'pmm', password: '' }, /is empty/],
  [{ user: 'pmm', password: 'a"b' }, /from their templates/],
  [{ user: 'pmm', password: 'a\\b' }, /from their templates/],
  [{ user: 'pmm', password: 'a\nb' }, /from their templates/],
  [{ user: 'a:b', password: 'p' }, /--exporter-user/],
])('an account that a file cannot contain is refused: %j', (account, message) =>
  expect(() => checkAccount(account)).toThrow(message),
);

test('every other password character is accepted', () =>
  expect(() => checkAccount({ user: 'pmm', password: "p@:/#;' %$!" })).not.toThrow());
