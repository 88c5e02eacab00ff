import { Agent, request } from 'node:http';
import { RequestSigner } from '../../shared/db/request-signer.ts';

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Sends requests to DynamoDB with nothing but what Node contains. */
export interface DynamoDbByHand {
  /**
   * @param operation `GetItem`, `Query` ...
   * @param input in DynamoDB's JSON, with its types.
   * @returns the parsed reply, also with types.
   * @throws Error for every status but 200, with the body.
   */
  call: (operation: string, input: object) => Promise<unknown>;
  close: () => void;
}

const CONTENT_TYPE = 'application/x-amz-json-1.0';

/**
 * The minimum that DynamoDB requires of a client: one signed request over a connection that is kept, and no retries,
 * timeouts or conversion of values.
 */
export function openDynamoDb(endpoint: string, region: string, credentials: Credentials): DynamoDbByHand {
  const { hostname, port, host } = new URL(endpoint);
  const agent = new Agent({ keepAlive: true });
  const [found, where] = [Promise.resolve(credentials), Promise.resolve(region)];
  const signer = new RequestSigner(() => ({ credentials: () => found, region: () => where }));

  const headersOf = async (operation: string, body: string) => {
    const target = `DynamoDB_20120810.${operation}`;
    const headers = { host, 'content-type': CONTENT_TYPE, 'x-amz-target': target };
    await signer.sign({ path: '/', headers, body });
    return { ...headers, 'content-length': Buffer.byteLength(body) };
  };

  return {
    call: async (operation, input) => {
      const body = JSON.stringify(input);
      const headers = await headersOf(operation, body);
      return new Promise((resolve, reject) => {
        const sent = request({ hostname, port, method: 'POST', path: '/', agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('error', reject);
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if (response.statusCode === 200) resolve(JSON.parse(text));
            else reject(new Error(`${operation}: ${text}`));
          });
        });
        sent.on('error', reject).end(body);
      });
    },
    close: () => agent.destroy(),
  };
}
