import { readSettings } from './settings.ts';

const read = (environment: Record<string, string>) => readSettings(environment, [], 'db-host');
const namesOf = (environment: Record<string, string>) => read(environment).certificateNames;

test.each([
  ['the default', {}, ['127.0.0.1']],
  ['another loopback address', { HOST: '127.0.0.2' }, ['127.0.0.2']],
  ['all addresses', { HOST: '0.0.0.0' }, ['db-host']],
  ['all addresses of IPv6', { HOST: '::' }, ['db-host']],
  ['an address', { HOST: '192.0.2.1' }, ['192.0.2.1', 'db-host']],
  ['a name', { HOST: 'db.example.com' }, ['db.example.com', 'db-host']],
  [
    'names',
    { TLS_NAMES: 'a.example.com, 192.0.2.7,2001:db8::7,' },
    ['127.0.0.1', 'a.example.com', '192.0.2.7', '2001:db8::7'],
  ],
  ['no names', { TLS_NAMES: '' }, ['127.0.0.1']],
])('the certificate has the names that the server is reached by: %s', (_name, environment, names) => {
  expect(namesOf(environment)).toEqual(names);
});

test('a host name that is no DNS name is left out', () => {
  expect(readSettings({ HOST: '0.0.0.0' }, [], 'my host').certificateNames).toEqual([]);
});

test.each([
  'https://a.example.com',
  'a.example.com:8443',
  '*.example.com',
  'a b',
  '10.0.0.256',
  'fe80::1%eth0',
  '10.0.0.0/8',
  '-a',
  'a..b',
])('TLS_NAMES %s is refused', (text) => {
  expect(() => namesOf({ TLS_NAMES: `ok.example.com,${text}` })).toThrow(
    'TLS_NAMES must be DNS names without wildcards and IP addresses, separated by commas.',
  );
});

test('files of an own certificate are a pair, and it has names of its own', () => {
  const files = { TLS_CERT_FILE: '/etc/tls/cert.pem', TLS_KEY_FILE: '/etc/tls/key.pem' };
  expect(read({}).certificateFiles).toBeUndefined();
  expect(read(files).certificateFiles).toEqual({ cert: '/etc/tls/cert.pem', key: '/etc/tls/key.pem' });
  expect(() => read({ TLS_CERT_FILE: '/etc/tls/cert.pem' })).toThrow('TLS_CERT_FILE and TLS_KEY_FILE belong together');
  expect(() => read({ TLS_KEY_FILE: '/etc/tls/key.pem' })).toThrow('TLS_CERT_FILE and TLS_KEY_FILE belong together');
  expect(() => read({ ...files, TLS_NAMES: 'a.example.com' })).toThrow('TLS_NAMES names the generated certificate.');
});
