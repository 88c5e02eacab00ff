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
])('%j is one sentence', (more, sentence) => expect(problems(more)).toBe(sentence));

test('no value is in the message', () => {
  expect(problems({ API_URL: 'canary', PORT: 'canary', KEY_SECRET_ARN: 'canary' })).not.toContain('canary');
});
