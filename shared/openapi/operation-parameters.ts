import { ENTITY_TAGS } from '../http/etag.ts';
import type { HttpContract } from '../http/http-contract.ts';
import { IDEMPOTENCY_KEY } from '../http/idempotency-key.ts';
import { convert, type JsonSchema } from './schemas.ts';
import type { Header, OpenApiDocument, Parameter, Reference } from './specification.ts';
import type { Example } from './example.ts';

const ETAG = 'The revision of the object, for If-Match and If-None-Match.';

const LOCATION = 'Path of the object that was added.';

export const parameters = {
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'Run only if the object has this revision: the ETag of an earlier reply, with its quotes. Several are separated ' +
      'by commas; `*` is any revision.',
    schema: { type: 'string', pattern: ENTITY_TAGS },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an earlier reply, with its quotes. If it still matches, the reply is 304 without a body.',
    schema: { type: 'string', pattern: ENTITY_TAGS },
  },
  // The same header for a write: a separate section, because both have the same name.
  'If-None-Match_before_write': {
    name: 'If-None-Match',
    in: 'header',
    description:
      '`*`: run only if no such object exists. A revision, with its quotes: run only if the object does not have it.',
    schema: { type: 'string', pattern: ENTITY_TAGS },
  },
  [IDEMPOTENCY_KEY.name]: {
    name: IDEMPOTENCY_KEY.name,
    in: 'header',
    description:
      'A string of your choice, such as a UUID, that identifies this request. If the same caller repeats the request ' +
      'within 24 hours, it has no further effect and gets the same reply. With another body it is refused. Failed ' +
      'requests are not recorded.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY.maxLength,
      pattern: IDEMPOTENCY_KEY.pattern.source,
    },
  },
} as const satisfies Record<string, Parameter>;

export const headers = {
  ETag: { description: ETAG, schema: { type: 'string' }, example: '"1"' },
  Location: { description: LOCATION, schema: { type: 'string' } },
} as const satisfies Record<string, Header>;

/** Stated with each operation: it differs from the ETag of an object. */
export const digestHeader: Header = {
  description: 'A digest of the reply, for If-None-Match.',
  schema: { type: 'string' },
};

export const reference = (section: keyof OpenApiDocument['components'], name: string): Reference => ({
  $ref: `#/components/${section}/${name}`,
});

function described(schema: JsonSchema | undefined, where: string): { description: string; schema: JsonSchema } {
  const { description, ...rest } = schema ?? {};
  if (description === undefined) throw new Error(`${where} has no description`);
  return { description, schema: rest };
}

export function parametersOf(endpoint: HttpContract, example: Example | undefined): (Parameter | Reference)[] {
  const { id, params, query, method, etag, idempotent } = endpoint;
  const means = convert({ params, query }, 'parameters').roots;
  const takes = convert({ query }, 'request').roots;
  const inPath = Object.entries(means['params']?.properties ?? {}).map(([name, schema]): Parameter => {
    const value = example?.params?.[name];
    return {
      name,
      in: 'path',
      required: true,
      ...described(schema, `${id} ${name}`),
      ...(value === undefined ? {} : { example: value }),
    };
  });
  // Without examples: the API browser would send them.
  const inQuery = Object.entries(means['query']?.properties ?? {}).map(([name, schema]): Parameter => ({
    name,
    in: 'query',
    ...(takes['query']?.required?.includes(name) === true ? { required: true } : {}),
    ...described(schema, `${id} ${name}`),
  }));
  const inHeader = [
    ...(etag === 'revision' ? conditions[method] : []),
    ...(etag === 'digest' ? (['If-None-Match'] as const) : []),
    ...(idempotent === true ? ([IDEMPOTENCY_KEY.name] as const) : []),
  ];
  return [...inPath, ...inQuery, ...inHeader.map((name) => reference('parameters', name))];
}

/** The precondition headers of each method, for an endpoint with revisions. */
const conditions: Readonly<Record<HttpContract['method'], readonly (keyof typeof parameters)[]>> = {
  GET: ['If-None-Match'],
  POST: [],
  PUT: ['If-Match', 'If-None-Match_before_write'],
  PATCH: ['If-Match'],
  DELETE: ['If-Match'],
};
