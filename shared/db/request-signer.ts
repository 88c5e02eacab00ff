import type { DynamoDBClientResolvedConfig } from '@aws-sdk/client-dynamodb';
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { timeOfDay } from '../core/time-of-day.ts';

type Config = Pick<DynamoDBClientResolvedConfig, 'credentials' | 'region'>;

/** A POST with the headers that the SDK has set. */
interface Request {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

interface Options {
  /** With the SDK's correction of the clock. */
  signingDate?: Date | number | string;
}

const SERVICE = 'dynamodb';

/** The headers that are signed, in the order of the signature. A missing one is left out. */
const SIGNED = ['content-type', 'host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];

const hmac = (key: KeyObject | string, text: string) => createHmac('sha256', key).update(text);

/** With a Buffer as its key, an HMAC would take ten times as long (Node 24, measured). */
const derived = (key: KeyObject | string, text: string) => createSecretKey(hmac(key, text).digest());

/** 20150830T123600Z */
const amzDate = (date: Date) => date.toISOString().replace(/[-:]|\.\d+/g, '');

/**
 * Signs requests to DynamoDB with Signature Version 4, and keeps the key of the day as a KeyObject. The signer of the SDK
 * takes more processor time than all else that a get requires. A property test compares both.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export class RequestSigner {
  readonly #configOf: () => Config;
  #key: { readonly of: string; readonly value: KeyObject } | undefined;

  /** @param configOf the configuration of the client, which has its signer before its configuration is complete. */
  constructor(configOf: () => Config) {
    this.#configOf = configOf;
  }

  /** Adds the headers of the signature. */
  async sign<Signed extends Request>(request: Signed, { signingDate = timeOfDay() }: Options = {}): Promise<Signed> {
    const config = this.#configOf();
    const [credentials, region] = await Promise.all([config.credentials(), config.region()]);
    const { headers, path, body = '' } = request;
    const date = amzDate(new Date(signingDate));
    headers['x-amz-date'] = date;
    if (credentials.sessionToken !== undefined) headers['x-amz-security-token'] = credentials.sessionToken;
    let [canonical, names] = [`POST\n${path}\n\n`, ''];
    for (const name of SIGNED) {
      const value = headers[name];
      if (value === undefined) continue;
      canonical += `${name}:${value}\n`;
      names += names === '' ? name : `;${name}`;
    }
    canonical += `\n${names}\n${hash('sha256', body)}`;
    const scope = `${date.slice(0, 8)}/${region}/${SERVICE}/aws4_request`;
    const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonical)}`;
    const signature = hmac(this.#keyOf(credentials.secretAccessKey, scope), text).digest('hex');
    headers['authorization'] =
      `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    return request;
  }

  #keyOf(secret: string, scope: string): KeyObject {
    const of = `${secret} ${scope}`;
    if (this.#key?.of !== of) {
      const [first = '', ...rest] = scope.split('/');
      this.#key = { of, value: rest.reduce(derived, derived(`AWS4${secret}`, first)) };
    }
    return this.#key.value;
  }
}
