import type { CallerKind } from '../http/caller.ts';
import { type Deprecation, deprecationFault, deprecationHeaders } from '../http/deprecation.ts';
import { errorSchema } from '../http/error-schema.ts';
import {
  bodyFormatOf,
  commonErrors,
  type Endpoint,
  maxBodyBytesOf,
  replyFormatOf,
  successStatuses,
  takesBody,
} from '../http/endpoint.ts';
import { type Format, mediaTypes } from '../http/format.ts';
import { toLines } from '../http/lines.ts';
import { byHttpStatus, type ErrorExamples, errorResponse } from './error-responses.ts';
import { bodySchemas, type JsonSchema } from './schemas.ts';
import type {
  Content,
  Header,
  Info,
  OpenApiDocument,
  Operation,
  Reference,
  Response,
  Server,
  Tag,
} from './specification.ts';
import { digestHeader, headers, parameters, parametersOf, reference } from './operation-parameters.ts';
import type { Example } from './example.ts';

/** The facts about the product that the contracts of its endpoints do not contain. */
export interface Facts {
  endpoints: readonly Endpoint[];
  info: Info;
  servers: readonly Server[];
  /** All tags of the endpoints, in the order of the documentation. */
  tags: readonly Tag[];
  /** How clients present credentials, in words. */
  credentials: { bearer: string; basic: string };
  /** Examples by the id of their endpoint, then by name. */
  examples: Readonly<Record<string, Readonly<Record<string, Example>>>>;
  errorExamples: ErrorExamples;
}

const callerWords: Readonly<Record<CallerKind, string>> = {
  api_key: 'an API key',
  session: 'a session key',
  user: 'a user name and password',
};

/** The permitted callers, in words. */
function admission({ role, scoped, callers }: Endpoint): string {
  if (role === 'none') return 'Requires no credentials.';
  const kinds = callers === undefined ? '' : ` Only with ${callers.map((kind) => callerWords[kind]).join(' or ')}.`;
  const registrar = scoped === true ? ' A **Registrar** may call it within its node.' : '';
  return `Requires the role **${role}**${role === 'Admin' ? '' : ' or a higher one'}.${registrar}${kinds}`;
}

/** The security of an operation where it differs from the default of the document, which accepts keys and passwords. */
function securityOf({ role, callers }: Endpoint): Pick<Operation, 'security'> {
  if (role === 'none') return { security: [] };
  return callers?.every((kind) => kind === 'user') === true ? { security: [{ Basic: [] }] } : {};
}

const deprecationWords: Readonly<Record<string, string>> = {
  Deprecation: 'When the operation was deprecated (RFC 9745), in seconds since 1970.',
  Sunset: 'Earliest removal of the operation (RFC 8594).',
  Link: 'Documentation of the replacement.',
};

/** Stated with each operation, because the values differ. */
function deprecationHeadersOf(deprecated: Deprecation | undefined): Record<string, Header> {
  return Object.fromEntries(
    Object.entries(deprecated === undefined ? {} : deprecationHeaders(deprecated)).map(([name, value]) => [
      name,
      { description: deprecationWords[name] ?? name, schema: { type: 'string' }, example: value },
    ]),
  );
}

function deprecationNotice({ since, sunset, link }: Deprecation): string {
  return (
    `**Deprecated** since ${since}; may be removed from ${sunset} on. Replacement: <${link}>. Its replies, errors ` +
    'included, contain the headers `Deprecation`, `Sunset` and `Link`.'
  );
}

/** The schema of a body in a format. For lines it describes a string, with the schema of the list inside. */
function inFormat(schema: JsonSchema, format: Format): JsonSchema {
  if (format === 'json') return schema;
  const { description, ...list } = schema;
  return {
    type: 'string',
    description: `${description ?? ''} One JSON value per line.`.trim(),
    contentMediaType: mediaTypes.ndjson,
    contentSchema: list,
  };
}

function exampleIn(value: unknown, format: Format): unknown {
  return format === 'ndjson' && Array.isArray(value) ? toLines(value) : value;
}

function content(
  { schema = {}, format }: { schema: JsonSchema | undefined; format: Format },
  examples: Readonly<Record<string, Example>>,
  part: 'body' | 'reply',
): Content {
  const all = Object.entries(examples).filter(([, example]) => example[part] !== undefined);
  // Of replies with the same status, only the first one. Of requests, which readers copy, all that differ.
  const texts = all.map(([, example]) => JSON.stringify(example[part]));
  const shown =
    part === 'reply' ? all.slice(0, 1) : all.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
  return {
    [mediaTypes[format]]: {
      schema: inFormat(schema, format),
      ...(shown.length === 0
        ? {}
        : {
            examples: Object.fromEntries(
              shown.map(([name, example]) => [
                name,
                { summary: example.summary, value: exampleIn(example[part], format) },
              ]),
            ),
          }),
    },
  };
}

const successWords = {
  200: 'Done.',
  201: 'Added.',
  202: 'Accepted; changes remain.',
  204: 'Done. The reply has no body.',
} as const;

function successOf(
  endpoint: Endpoint,
  schema: JsonSchema | undefined,
  examples: Readonly<Record<string, Example>>,
): Record<string, Response> {
  const { method, versioned, digested, deprecated } = endpoint;
  const notice = deprecationHeadersOf(deprecated);
  const hasTag = versioned === true || digested === true;
  const etag = { ETag: digested === true ? digestHeader : reference('headers', 'ETag') };
  const statuses = successStatuses(endpoint);
  const responses = statuses.map((status): [number, Response] => {
    const sent = {
      ...notice,
      ...(status === 201 && versioned === true ? { Location: reference('headers', 'Location') } : {}),
      ...(status !== 204 && hasTag ? etag : {}),
    };
    // All statuses have one schema; its example is shown with the status of the first example.
    const isShown = status === (Object.values(examples)[0]?.status ?? statuses[0]);
    const own = Object.entries(examples).filter(([, one]) => isShown && (one.status ?? statuses[0]) === status);
    return [
      status,
      {
        description: successWords[status],
        ...(Object.keys(sent).length === 0 ? {} : { headers: sent }),
        ...(status === 204
          ? {}
          : { content: content({ schema, format: replyFormatOf(endpoint) }, Object.fromEntries(own), 'reply') }),
      },
    ];
  });
  return {
    ...Object.fromEntries(responses),
    ...(method === 'GET' && hasTag
      ? {
          304: {
            description:
              digested === true ? 'Matches If-None-Match.' : 'Unchanged since the revision in If-None-Match.',
            headers: { ...notice, ...etag },
          },
        }
      : {}),
  };
}

/** The OpenAPI document, derived from the contracts of the endpoints. Deterministic. */
export function openApiDocument(facts: Facts): OpenApiDocument {
  const { endpoints, tags, credentials, errorExamples } = facts;
  const bodies = endpoints.flatMap((endpoint) => (takesBody(endpoint) ? [[endpoint.id, endpoint.body] as const] : []));
  const replies = endpoints.flatMap(({ id, reply }) =>
    reply.schema === undefined ? [] : [[id, reply.schema] as const],
  );
  const schemas = bodySchemas(Object.fromEntries(bodies), { ...Object.fromEntries(replies), Error: errorSchema });
  const operations: OpenApiDocument['paths'] = {};
  const responses: Record<string, Response> = {};

  for (const endpoint of endpoints) {
    const { id, tag, method, path, summary, role, scoped, callers, deprecated } = endpoint;
    if (!tags.some(({ name }) => name === tag)) throw new Error(`${id} has an unknown tag: ${tag}`);
    const fault = deprecated === undefined ? undefined : deprecationFault(deprecated);
    if (fault !== undefined) throw new Error(`${id} cannot be deprecated like this: ${fault}`);
    const examples = facts.examples[id] ?? {};
    const parameters = parametersOf(endpoint, Object.values(examples)[0]);
    const errors = byHttpStatus([...commonErrors(endpoint), ...endpoint.errors]).map(
      ([http, kinds]): [number, Reference] => {
        const { name, response } = errorResponse(kinds, errorExamples);
        responses[name] = response;
        return [http, reference('responses', name)];
      },
    );
    const operation: Operation = {
      operationId: id,
      tags: [tag],
      summary,
      description: [
        ...(deprecated === undefined ? [] : [deprecationNotice(deprecated)]),
        ...(endpoint.description === undefined ? [] : [endpoint.description]),
        admission(endpoint),
      ].join('\n\n'),
      'x-role': role,
      ...(role === 'none' || scoped === true ? { 'x-registrar': true } : {}),
      ...(callers === undefined ? {} : { 'x-callers': callers.join(' ') }),
      ...(deprecated === undefined ? {} : { deprecated: true, 'x-sunset': deprecated.sunset }),
      ...securityOf(endpoint),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(takesBody(endpoint)
        ? {
            requestBody: {
              required: true,
              description: `At most ${maxBodyBytesOf(endpoint)} bytes.`,
              content: content({ schema: schemas.bodies[id], format: bodyFormatOf(endpoint) }, examples, 'body'),
            },
          }
        : {}),
      responses: { ...successOf(endpoint, schemas.replies[id], examples), ...Object.fromEntries(errors) },
    };
    operations[path] = { ...operations[path], [method.toLowerCase()]: operation };
  }

  return {
    openapi: '3.1.1',
    info: facts.info,
    servers: facts.servers,
    security: [{ Bearer: [] }, { Basic: [] }],
    tags,
    paths: inReadingOrder(operations, tags),
    components: {
      securitySchemes: {
        Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: credentials.bearer },
        Basic: { type: 'http', scheme: 'basic', description: credentials.basic },
      },
      parameters,
      headers,
      responses: sorted(responses),
      schemas: sorted(schemas.named),
    },
  };
}

const methodOrder = ['post', 'get', 'put', 'patch', 'delete'];

/**
 * Sorts paths by tag, then by path, and operations so that add precedes list and get precedes change. Independent of
 * the order of the endpoints.
 */
function inReadingOrder(paths: OpenApiDocument['paths'], tags: readonly Tag[]): OpenApiDocument['paths'] {
  const tagRank = (operations: Record<string, Operation>) =>
    tags.findIndex(({ name }) => Object.values(operations).some(({ tags: [tag] }) => tag === name));
  const ordered = Object.entries(sorted(paths)).toSorted(([, left], [, right]) => tagRank(left) - tagRank(right));
  return Object.fromEntries(
    ordered.map(([path, operations]) => {
      const methods = Object.entries(operations).toSorted(
        ([left], [right]) => methodOrder.indexOf(left) - methodOrder.indexOf(right),
      );
      return [path, Object.fromEntries(methods)];
    }),
  );
}

/** Sorted by name, so that a new endpoint moves no other part of the document. */
function sorted<Value>(entries: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(entries).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
