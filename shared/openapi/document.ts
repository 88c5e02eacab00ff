import { type Deprecation, deprecationFault } from '../http/deprecation.ts';
import { errorSchema } from '../http/error-schema.ts';
import {
  bodyFormatOf,
  commonErrors,
  type HttpContract,
  MAX_BODY_BYTES,
  maxBodyBytesOf,
  takesBody,
} from '../http/http-contract.ts';
import { content } from './content.ts';
import { byHttpStatus, type ErrorExamples, errorResponse } from './error-responses.ts';
import { bodySchemas, type JsonSchema } from './schemas.ts';
import type {
  Extensions,
  Info,
  OpenApiDocument,
  Operation,
  Reference,
  Response,
  Server,
  Tag,
} from './specification.ts';
import { headers, parameters, parametersOf, reference } from './operation-parameters.ts';
import type { Example } from './example.ts';
import { successOf } from './success-responses.ts';

/** The callers that an operation admits. */
export interface Admission {
  /** In words. */
  words: string;
  /** For programs. */
  extensions: Extensions;
  /** Where it differs from that of the document, which accepts keys and passwords. */
  security?: OpenApiDocument['security'];
}

/** The facts about the product that the contracts of its endpoints do not contain. */
export interface Facts<Contract extends HttpContract = HttpContract> {
  endpoints: readonly Contract[];
  admissionOf: (endpoint: Contract) => Admission;
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

function deprecationNotice({ since, sunset, link }: Deprecation): string {
  return (
    `**Deprecated** since ${since}; may be removed from ${sunset} on. Replacement: <${link}>. Its replies, errors ` +
    'included, contain the headers `Deprecation`, `Sunset` and `Link`.'
  );
}

/** @throws Error for a contract that the document cannot describe. */
function checkContract({ id, tag, deprecated }: HttpContract, tags: readonly Tag[]): void {
  const names = tags.map(({ name }) => name);
  if (!names.includes(tag)) throw new Error(`${id} has an unknown tag: ${tag}. Known tags: ${names.join(', ')}`);
  const fault = deprecated === undefined ? undefined : deprecationFault(deprecated);
  if (fault !== undefined) throw new Error(`${id} cannot be deprecated like this: ${fault}`);
}

function schemasOf(endpoints: readonly HttpContract[]): ReturnType<typeof bodySchemas> {
  const bodies = endpoints.flatMap((endpoint) => (takesBody(endpoint) ? [[endpoint.id, endpoint.body] as const] : []));
  const replies = endpoints.flatMap(({ id, reply }) =>
    reply.schema === undefined ? [] : [[id, reply.schema] as const],
  );
  return bodySchemas(Object.fromEntries(bodies), { ...Object.fromEntries(replies), Error: errorSchema });
}

/** The error responses of an endpoint, by HTTP status. */
function errorsOf(endpoint: HttpContract, examples: ErrorExamples): [http: number, ReturnType<typeof errorResponse>][] {
  return byHttpStatus([...commonErrors(endpoint), ...endpoint.errors]).map(([http, kinds]) => [
    http,
    errorResponse(kinds, examples),
  ]);
}

function requestBodyOf(
  endpoint: HttpContract,
  schema: JsonSchema | undefined,
  examples: Readonly<Record<string, Example>>,
): Pick<Operation, 'requestBody'> {
  if (!takesBody(endpoint)) return {};
  return {
    requestBody: {
      required: true,
      ...(maxBodyBytesOf(endpoint) === MAX_BODY_BYTES
        ? {}
        : { description: `At most ${maxBodyBytesOf(endpoint)} bytes.` }),
      content: content({ schema, format: bodyFormatOf(endpoint) }, examples, 'body'),
    },
  };
}

function operationOf(
  endpoint: HttpContract,
  { words, extensions, security }: Admission,
  { body, reply }: { body: JsonSchema | undefined; reply: JsonSchema | undefined },
  examples: Readonly<Record<string, Example>>,
  errors: Readonly<Record<string, Reference>>,
): Operation {
  const { id, tag, summary, description, role, deprecated } = endpoint;
  const parameters = parametersOf(endpoint, Object.values(examples)[0]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [
      ...(deprecated === undefined ? [] : [deprecationNotice(deprecated)]),
      ...(description === undefined ? [] : [description]),
      words,
    ].join('\n\n'),
    'x-role': role,
    ...extensions,
    ...(deprecated === undefined ? {} : { deprecated: true, 'x-sunset': deprecated.sunset }),
    ...(security === undefined ? {} : { security }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(endpoint, body, examples),
    responses: { ...successOf(endpoint, reply, examples), ...errors },
  };
}

/** The OpenAPI document, derived from the contracts of the endpoints. Deterministic. */
export function openApiDocument<Contract extends HttpContract>(facts: Facts<Contract>): OpenApiDocument {
  const { endpoints, tags, credentials, errorExamples } = facts;
  const { bodies, replies, named } = schemasOf(endpoints);
  const paths: OpenApiDocument['paths'] = {};
  const responses: Record<string, Response> = {};

  for (const endpoint of endpoints) {
    const { id, method, path } = endpoint;
    checkContract(endpoint, tags);
    const errors: Record<string, Reference> = {};
    for (const [http, { name, response }] of errorsOf(endpoint, errorExamples)) {
      responses[name] = response;
      errors[http] = reference('responses', name);
    }
    const admission = facts.admissionOf(endpoint);
    const schemas = { body: bodies[id], reply: replies[id] };
    const operation = operationOf(endpoint, admission, schemas, facts.examples[id] ?? {}, errors);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }

  return {
    openapi: '3.1.1',
    info: facts.info,
    servers: facts.servers,
    security: [{ Bearer: [] }, { Basic: [] }],
    tags,
    paths: inReadingOrder(paths, tags),
    components: {
      securitySchemes: {
        Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: credentials.bearer },
        Basic: { type: 'http', scheme: 'basic', description: credentials.basic },
      },
      parameters,
      headers,
      responses: sorted(responses),
      schemas: sorted(named),
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
