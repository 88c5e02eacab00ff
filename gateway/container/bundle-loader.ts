import { createHash, createHmac } from 'node:crypto';
import { type MonotonicClock, pause, timeLimit } from '../../shared/core/monotonic-clock.ts';

/** Attempts to read credentials and the file, and the pause between them. */
const ATTEMPTS = 5;
const PAUSE_MS = 2000;

/** Time for one request. */
const REQUEST_MS = 10_000;

/** Where ECS serves the credentials of the role of a task. */
const CREDENTIALS_HOST = 'http://169.254.170.2';

type Environment = Readonly<Record<string, string | undefined>>;

interface Credentials {
  AccessKeyId: string;
  SecretAccessKey: string;
  Token: string;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

function required(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`${name} must be set.`);
  return value;
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const reply = await fetch(url, { headers, redirect: 'error', signal: timeLimit({}, REQUEST_MS) });
  if (!reply.ok) throw new Error(`${new URL(url).host} replied with ${reply.status}.`);
  return Buffer.from(await reply.arrayBuffer());
}

async function readCredentials(environment: Environment): Promise<Credentials> {
  const path = required(environment, 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
  const host = environment['CREDENTIALS_HOST'] ?? CREDENTIALS_HOST;
  const read: unknown = JSON.parse((await get(`${host}${path}`)).toString());
  const isComplete = (value: unknown): value is Credentials =>
    typeof value === 'object' &&
    value !== null &&
    ['AccessKeyId', 'SecretAccessKey', 'Token'].every((name) => typeof Reflect.get(value, name) === 'string');
  if (!isComplete(read)) throw new Error('The task has no credentials.');
  return read;
}

/**
 * The headers of a signed request without a body.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signedHeaders(url: URL, region: string, credentials: Credentials, now: Date): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const emptyBody = sha256('');
  const headers = {
    host: url.host,
    'x-amz-content-sha256': emptyBody,
    'x-amz-date': time,
    'x-amz-security-token': credentials.Token,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ['GET', url.pathname, '', lines.join(''), names, emptyBody].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${credentials.SecretAccessKey}`);
  const signature = hmac(key, toSign);
  const { host: _, ...sent } = headers;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.AccessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature.toString('hex')}`,
  };
}

/** The address of the file, with the region of its bucket. */
function locationOf(environment: Environment): { url: URL; region: string } {
  const [bucket, key] = [required(environment, 'BUNDLE_BUCKET'), required(environment, 'BUNDLE_KEY')];
  const region = required(environment, 'AWS_REGION');
  const suffix = environment['URL_SUFFIX'] ?? 'amazonaws.com';
  const endpoint = environment['AWS_ENDPOINT_URL_S3'] ?? `https://s3.${region}.${suffix}`;
  return { url: new URL(`${endpoint}/${bucket}/${key}`), region };
}

interface LoaderClocks {
  /** The time of day, for signatures. */
  clock: () => Date;
  monotonic: MonotonicClock;
}

/**
 * Reads the program of the container from the bucket of the deployment, with the role of the task.
 *
 * @throws Error when the file is not the one that was deployed, or cannot be read.
 */
export async function readBundle(environment: Environment, { clock, monotonic }: LoaderClocks): Promise<Buffer> {
  const expected = required(environment, 'BUNDLE_SHA256');
  const { url, region } = locationOf(environment);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const credentials = await readCredentials(environment);
      const bytes = await get(url.href, signedHeaders(url, region, credentials, clock()));
      if (sha256(bytes) !== expected) throw new Error('The file in the bucket is not the one that was deployed.');
      return bytes;
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
      await pause({ monotonic }, PAUSE_MS);
    }
  }
}
