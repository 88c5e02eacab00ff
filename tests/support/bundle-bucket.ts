import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The credentials of the role of the task. */
export const role = { AccessKeyId: 'id', SecretAccessKey: 'secret', Token: 'token' };

/** Serves credentials, and the program of the container. */
export class BundleBucket {
  file = Buffer.from('export {};');
  /** How many of the next reads of the file fail. */
  failures = 0;
  readonly requests: IncomingMessage[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.requests.push(request);
    if (request.url === '/role') response.end(JSON.stringify(role));
    else if (this.failures-- > 0) response.writeHead(503).end();
    else response.end(this.file);
  });

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  /** The environment of a container that was deployed with the present file. */
  environment(): Record<string, string> {
    const base = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return {
      ...{ CREDENTIALS_HOST: base, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/role', AWS_ENDPOINT_URL_S3: base },
      ...{ AWS_REGION: 'eu-west-1', BUNDLE_BUCKET: 'assets', BUNDLE_KEY: 'program.mjs' },
      BUNDLE_SHA256: createHash('sha256').update(this.file).digest('hex'),
    };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
