import { createHmac, hash } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** `dynamodb`. */
  readonly service: string;
}

/** A POST to the path `/` without a query, as DynamoDB takes every request. */
export interface SignedPost {
  /** All headers that are signed: names in lower case, sorted; `x-amz-date` is one of them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** The key of a day: the same for all requests of the day. */
export function signingKey({ secretAccessKey, region, service }: Credentials, day: string): Buffer {
  return hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), service), 'aws4_request');
}

/**
 * The header `Authorization` of Signature Version 4.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 *
 * @param date in the format of `x-amz-date`: 20150830T123600Z.
 */
export function authorizationOf(
  credentials: Credentials,
  { key, date }: { key: Buffer; date: string },
  { headers, body }: SignedPost,
): string {
  const { accessKeyId, region, service } = credentials;
  let canonicalHeaders = '';
  for (const name in headers) canonicalHeaders += `${name}:${headers[name] ?? ''}\n`;
  const names = Object.keys(headers).join(';');
  const canonical = `POST\n/\n\n${canonicalHeaders}\n${names}\n${hash('sha256', body)}`;
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonical)}`).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}
