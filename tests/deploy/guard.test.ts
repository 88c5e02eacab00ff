import { deployerEnvironment } from './cdk.ts';
import { assertEmulator, EMULATED_ACCOUNT } from './guard.ts';

const account = EMULATED_ACCOUNT;
const endpoint = 'http://127.0.0.1:4566';

test.each([endpoint, 'http://127.0.0.9:1/', 'http://[::1]:4566'])('an emulator at %s is accepted', (good) => {
  expect(() => assertEmulator({ endpoint: good, account })).not.toThrow();
});

test.each([
  '',
  'nonsense',
  '127.0.0.1:4566',
  'http://0.0.0.0:4566',
  'http://10.0.0.1:4566',
  'http://localhost:4566',
  'http://127.0.0.1.example.com:4566',
  'http://127.0.0.1@example.com:4566',
  'https://sts.us-east-1.amazonaws.com',
  'https://127.0.0.1:4566',
  'file://127.0.0.1/',
])('the endpoint "%s" is refused', (bad) => {
  expect(() => assertEmulator({ endpoint: bad, account })).toThrow(/^Refused: .* is not http on a loopback address/);
});

test.each(['', '123456789012', '00000000000', '0000000000000', ' 000000000000'])('account "%s" is refused', (bad) => {
  expect(() => assertEmulator({ endpoint, account: bad })).toThrow(/^Refused: account /);
});

test('no environment permits a deployment elsewhere', () => {
  expect(() => deployerEnvironment({ endpoint: 'https://sts.amazonaws.com', account, home: '/tmp' })).toThrow(
    'Refused',
  );
  expect(() => deployerEnvironment({ endpoint, account: '123456789012', home: '/tmp' })).toThrow('Refused');
});

test('a deployment knows no profile, credentials or endpoints of its caller', () => {
  const before = process.env;
  process.env = {
    ...before,
    AWS_PROFILE: 'production',
    AWS_SESSION_TOKEN: 'real',
    AWS_ENDPOINT_URL_DYNAMODB: 'https://x',
  };
  try {
    const environment = deployerEnvironment({ endpoint, account, home: '/somewhere' });
    const aws = Object.entries(environment).filter(([name]) => name.startsWith('AWS_'));
    expect(Object.fromEntries(aws)).toEqual({
      AWS_ENDPOINT_URL: endpoint,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
    });
    expect(environment['HOME']).toBe('/somewhere');
  } finally {
    process.env = before;
  }
});
