import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string;
}

/** A service of AWS in one region. */
export interface Service {
  readonly region: string;
  /** As in signatures: `dynamodb`. */
  readonly service: string;
}

const hmac = (key: KeyObject | string, text: string) => createHmac('sha256', key).update(text);

/** With a Buffer as its key, an HMAC would take ten times as long (Node 24, measured). */
const derived = (key: KeyObject | string, text: string) => createSecretKey(hmac(key, text).digest());

/** 20150830T123600Z */
function amzDate(now: Date): string {
  const text = now.toISOString();
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10)];
  return `${year}${month}${day}T${text.slice(11, 13)}${text.slice(14, 16)}${text.slice(17, 19)}Z`;
}

/** A request in the AWS JSON protocol: a POST to the path `/`. https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html */
export interface JsonRequest {
  readonly host: string;
  /** `application/x-amz-json-1.0` or `application/x-amz-json-1.1`. */
  readonly contentType: string;
  /** The operation, with a prefix that differs from service to service. */
  readonly target: string;
  readonly body: string;
}

/**
 * Signs requests with Signature Version 4.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export class RequestSigner {
  readonly #service: Service;
  readonly #credentials: Credentials;
  /** The signing key of a day. */
  #key: { readonly day: string; readonly value: KeyObject } | undefined;

  constructor(service: Service, credentials: Credentials) {
    this.#service = service;
    this.#credentials = credentials;
  }

  /** The headers of the request. All but `authorization` are signed. */
  headersOf({ host, contentType, target, body }: JsonRequest, now = new Date()): Record<string, string> {
    const { sessionToken } = this.#credentials;
    const date = amzDate(now);
    // In the order of the signature.
    const headers: Record<string, string> = {
      'content-type': contentType,
      host,
      'x-amz-date': date,
      ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
      'x-amz-target': target,
    };
    headers['authorization'] = this.#authorization(headers, body, date);
    return headers;
  }

  #authorization(headers: Readonly<Record<string, string>>, body: string, date: string): string {
    const { region, service } = this.#service;
    let canonical = 'POST\n/\n\n';
    for (const name in headers) canonical += `${name}:${headers[name] ?? ''}\n`;
    const names = Object.keys(headers).join(';');
    canonical += `\n${names}\n${hash('sha256', body)}`;
    const day = date.slice(0, 8);
    const scope = `${day}/${region}/${service}/aws4_request`;
    const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonical)}`;
    const signature = hmac(this.#keyOf(day), text).digest('hex');
    return `AWS4-HMAC-SHA256 Credential=${this.#credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  }

  #keyOf(day: string): KeyObject {
    if (this.#key?.day === day) return this.#key.value;
    const { region, service } = this.#service;
    const ofDay = derived(`AWS4${this.#credentials.secretAccessKey}`, day);
    const value = derived(derived(derived(ofDay, region), service), 'aws4_request');
    this.#key = { day, value };
    return value;
  }
}
