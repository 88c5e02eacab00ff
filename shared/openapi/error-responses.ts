import { type ErrorBody, type ErrorKind, errorBody, errorKinds, type Violation } from '../core/errors.ts';
import { schemaReference } from './schemas.ts';
import type { Header, Response } from './specification.ts';

/** An example message of an error kind, for the documentation. */
export interface ErrorExample {
  message: string;
  details?: readonly Violation[];
}

/** All errors have one form, so few need an example. */
export type ErrorExamples = Readonly<Partial<Record<ErrorKind, ErrorExample>>>;

const EXAMPLE_REQUEST_ID = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7ea1';

const headerDescriptions: Readonly<Record<string, string>> = {
  'Retry-After': 'Number of seconds to wait before the request is repeated.',
  'WWW-Authenticate': 'Accepted authentication schemes.',
};

function headersOf(kind: ErrorKind): Record<string, Header> {
  const entry: { http: number; headers?: Record<string, string> } = errorKinds[kind];
  return Object.fromEntries(
    Object.entries(entry.headers ?? {}).map(([name, value]) => [
      name,
      { description: headerDescriptions[name] ?? name, schema: { type: 'string' }, example: value },
    ]),
  );
}

const SEPARATOR = '_or_';

/** One response for all error kinds with the same HTTP status, with an example of each. */
export function errorResponse(
  kinds: readonly ErrorKind[],
  examples: ErrorExamples,
): { name: string; response: Response } {
  const headers = Object.fromEntries(kinds.flatMap((kind) => Object.entries(headersOf(kind))));
  const shown = kinds.flatMap((kind): [ErrorKind, { summary: string; value: ErrorBody }][] => {
    const example = examples[kind];
    if (example === undefined) return [];
    const value = errorBody(kind, example.message, EXAMPLE_REQUEST_ID, example.details);
    return [[kind, { summary: errorKinds[kind].meaning, value }]];
  });
  return {
    name: kinds.join(SEPARATOR),
    response: {
      description: kinds
        .map((kind) => `\`${errorKinds[kind].status}\` (${errorBody(kind, '', '').code}): ${errorKinds[kind].meaning}`)
        .join('\n\n'),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content: {
        'application/json': {
          schema: schemaReference('Error'),
          ...(shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }),
        },
      },
    },
  };
}

const isErrorKind = (name: string): name is ErrorKind => Object.hasOwn(errorKinds, name);

export function kindsOfResponse(name: string): ErrorKind[] {
  return name.split(SEPARATOR).filter(isErrorKind);
}

/** Error kinds by HTTP status: statuses ascending, kinds in the given order. */
export function byHttpStatus(kinds: readonly ErrorKind[]): [http: number, kinds: ErrorKind[]][] {
  const statuses = [...new Set(kinds.map((kind) => errorKinds[kind].http))].toSorted((left, right) => left - right);
  return statuses.map((http) => [http, [...new Set(kinds)].filter((kind) => errorKinds[kind].http === http)]);
}
