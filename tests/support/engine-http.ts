import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Engine } from '../../local/engine/engine-type.ts';
import type { SqliteEngine } from '../../local/engine/sqlite/engine.ts';

/* The API of DynamoDB over HTTP, for tests that put a proxy or another process before the embedded engine. */

const MAPS = ['Key', 'Item', 'ExclusiveStartKey', 'ExpressionAttributeValues', 'Attributes', 'LastEvaluatedKey'];
const LISTS = ['Keys', 'Items'];

/** All attribute values in a call or a reply, converted. */
function converted(value: any, convert: (map: any) => any): any {
  if (Array.isArray(value)) return value.map((item) => converted(item, convert));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries<any>(value).map(([name, member]) => {
      if (member === undefined) return [name, member];
      if (MAPS.includes(name)) return [name, convert(member)];
      if (LISTS.includes(name) && Array.isArray(member)) return [name, member.map(convert)];
      return [name, converted(member, convert)];
    }),
  );
}

const marshalled = (map: any) => marshall(map, { removeUndefinedValues: true, convertClassInstanceToMap: true });

/** JSON has texts for bytes. */
const reviveBytes = (name: string, value: unknown) =>
  name === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;

function replaceBytes(this: any, name: string, value: unknown): unknown {
  const bytes = this[name];
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value;
}

/** The items of a batch are below the names of their tables. */
function marshalledReply({ Responses, ...rest }: any): any {
  const byTable = Object.entries<any>(Responses ?? {}).map(([name, items]) => [name, items.map(marshalled)]);
  return { ...converted(rest, marshalled), ...(Responses && { Responses: Object.fromEntries(byTable) }) };
}

const errorReply = ({ name, message, Item, CancellationReasons }: any) => ({
  __type: `com.amazonaws.dynamodb.v20120810#${name}`,
  message,
  ...(Item && { Item: marshalled(Item) }),
  ...(CancellationReasons && {
    Message: message,
    CancellationReasons: CancellationReasons.map(({ Item: item, ...reason }: any) => ({
      ...reason,
      ...(item && { Item: marshalled(item) }),
    })),
  }),
});

async function reply(engine: SqliteEngine, target: string, body: string): Promise<{ status: number; body: any }> {
  if (body === '') return { status: 400, body: { __type: 'com.amazon.coral.service#SerializationException' } };
  try {
    const operation = target.split('.')[1] ?? '';
    const input = converted(JSON.parse(body, reviveBytes), unmarshall);
    return { status: 200, body: marshalledReply(await engine.call({ operation, input })) };
  } catch (error: any) {
    return { status: error.status ?? 500, body: errorReply(error) };
  }
}

export interface EngineServer {
  /** Of an engine that is external already: its own. */
  endpoint: string;
  stop: () => Promise<void>;
}

/** Serves an engine at a port of the loopback interface. Stopping the server leaves the engine. */
export async function serveEngine({ embedded }: Engine): Promise<EngineServer> {
  if (embedded === undefined)
    return { endpoint: process.env['DYNAMODB_ENDPOINT'] ?? '', stop: () => Promise.resolve() };
  const server = createServer((request, response) => {
    void (async () => {
      const { status, body } = await reply(embedded, String(request.headers['x-amz-target']), await text(request));
      response
        .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify(body, replaceBytes));
    })();
  });
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
