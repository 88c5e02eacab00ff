import * as z from 'zod/mini';

/** Settings that cannot be used: one sentence for each. Contains no value of a secret. */
export class InvalidSettings extends Error {}

const wholeNumber = (name: string, least: number, most: number, preset: number) =>
  z.pipe(
    z.transform((value) => (value === undefined || value === '' ? preset : Number(value))),
    z
      .int(`${name} must be a whole number from ${least} to ${most}.`)
      .check(
        z.minimum(least, `${name} must be a whole number from ${least} to ${most}.`),
        z.maximum(most, `${name} must be a whole number from ${least} to ${most}.`),
      ),
  );
const url = (name: string) => {
  const message = `${name} must be an address such as https://inventory.example.com.`;
  // Without TLS only on this machine: credentials pass there.
  const isAccepted = (value: string) =>
    URL.canParse(value) && (/^https:\/\//.test(value) || /^http:\/\/127\.0\.0\.1[:/]/.test(value));
  return z.pipe(
    z.string(message).check(z.refine(isAccepted, message)),
    z.transform((value: string) => value.replace(/\/$/, '')),
  );
};
/** An empty text is as good as none. */
const given = z.pipe(
  z.optional(z.string()),
  z.transform((value: string | undefined) => (value === '' ? undefined : value)),
);

const schema = z
  .object({
    API_URL: url('API_URL'),
    MAIN_URL: z.optional(url('MAIN_URL')),
    KEY_SECRET_ARN: given,
    KEY_FILE: given,
    PORT: wholeNumber('PORT', 0, 65_535, 8080),
    HEALTH_PORT: wholeNumber('HEALTH_PORT', 0, 65_535, 8081),
    HOST: z.optional(z.string()),
    PROXY_PROTOCOL: z._default(z.enum(['true', 'false'], 'PROXY_PROTOCOL must be true or false.'), 'false'),
    DRAIN_SECONDS: wholeNumber('DRAIN_SECONDS', 0, 3600, 100),
    FEED_SECONDS: wholeNumber('FEED_SECONDS', 1, 60, 3),
    MAX_STREAMS: wholeNumber('MAX_STREAMS', 1, 50_000, 12_000),
    METRICS_NAMESPACE: given,
  })
  .check(
    z.refine(({ KEY_SECRET_ARN: arn, KEY_FILE: file }) => (arn === undefined) !== (file === undefined), {
      message: 'Set KEY_SECRET_ARN (a secret in Secrets Manager) or KEY_FILE (a file with the key).',
    }),
  );

export interface ContainerSettings {
  /** Address of the API, with its stage. */
  apiUrl: string;
  /** Address of the service for people and enrolments. */
  mainUrl: string;
  keySecretArn: string | undefined;
  keyFile: string | undefined;
  host: string;
  port: number;
  healthPort: number;
  expectsProxyHeader: boolean;
  drainMs: number;
  feedMs: number;
  maxStreams: number;
  /** Namespace of the metrics in CloudWatch; undefined: none are printed. */
  metricsNamespace: string | undefined;
}

/** @throws InvalidSettings */
export function readContainerSettings(environment: Readonly<Record<string, string | undefined>>): ContainerSettings {
  const read = z.safeParse(schema, environment);
  if (!read.success)
    throw new InvalidSettings([...new Set(read.error.issues.map(({ message }) => message))].join('\n'));
  const { data } = read;
  return {
    apiUrl: data.API_URL,
    mainUrl: data.MAIN_URL ?? data.API_URL,
    keySecretArn: data.KEY_SECRET_ARN,
    keyFile: data.KEY_FILE,
    host: data.HOST ?? '0.0.0.0',
    port: data.PORT,
    healthPort: data.HEALTH_PORT,
    expectsProxyHeader: data.PROXY_PROTOCOL === 'true',
    drainMs: data.DRAIN_SECONDS * 1000,
    feedMs: data.FEED_SECONDS * 1000,
    maxStreams: data.MAX_STREAMS,
    metricsNamespace: data.METRICS_NAMESPACE,
  };
}
