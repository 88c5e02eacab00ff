import { InvalidSettings, readContainerSettings } from './settings.ts';

const least = { API_URL: 'https://api.example.com/live/', KEY_FILE: '/run/key' };

test('needs the address of the API and the place of the key', () => {
  expect(readContainerSettings(least)).toEqual({
    apiUrl: 'https://api.example.com/live',
    mainUrl: 'https://api.example.com/live',
    keyFile: '/run/key',
    keySecretArn: undefined,
    host: '0.0.0.0',
    port: 8080,
    healthPort: 8081,
    expectsProxyHeader: false,
    drainMs: 100_000,
    feedMs: 3000,
    maxStreams: 12_000,
    metricsNamespace: undefined,
  });
});

const problems = (more: Record<string, string | undefined>): string => {
  try {
    readContainerSettings({ ...least, ...more });
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSettings);
    return (error as Error).message;
  }
};

test.each([
  [{ API_URL: undefined }, 'API_URL must be an address such as https://inventory.example.com.'],
  [{ API_URL: 'http://api.example.com' }, 'API_URL must be an address such as https://inventory.example.com.'],
  [{ API_URL: 'http://127.0.0.1.example.com' }, 'API_URL must be an address such as https://inventory.example.com.'],
  [{ MAIN_URL: 'x' }, 'MAIN_URL must be an address such as https://inventory.example.com.'],
  [{ KEY_FILE: undefined }, 'Set KEY_SECRET_ARN (a secret in Secrets Manager) or KEY_FILE (a file with the key).'],
  [{ KEY_SECRET_ARN: 'arn' }, 'Set KEY_SECRET_ARN (a secret in Secrets Manager) or KEY_FILE (a file with the key).'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ DRAIN_SECONDS: 'soon' }, 'DRAIN_SECONDS must be a whole number from 0 to 3600.'],
  [{ FEED_SECONDS: '0' }, 'FEED_SECONDS must be a whole number from 1 to 60.'],
  [{ PROXY_PROTOCOL: 'yes' }, 'PROXY_PROTOCOL must be true or false.'],
])('%j is refused in one sentence', (more, sentence) => expect(problems(more)).toBe(sentence));

test.each([
  ['PORT', 0, 65_535],
  ['HEALTH_PORT', 0, 65_535],
  ['DRAIN_SECONDS', 0, 3600],
  ['FEED_SECONDS', 1, 60],
  ['MAX_STREAMS', 1, 50_000],
])('%s is a whole number from %d to %d', (name, least, most) => {
  for (const value of [least, most]) expect(problems({ [name]: String(value) })).toBe('');
  for (const value of [least - 1, most + 1, least + 0.5])
    expect(problems({ [name]: String(value) })).toBe(`${name} must be a whole number from ${least} to ${most}.`);
});

test('the message contains no value', () => {
  expect(problems({ API_URL: 'canary', PORT: 'canary', KEY_SECRET_ARN: 'canary' })).not.toContain('canary');
});
