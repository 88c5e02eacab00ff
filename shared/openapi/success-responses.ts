import { type Deprecation, deprecationHeaders } from '../http/deprecation.ts';
import { type HttpContract, replyFormatOf, successStatuses } from '../http/http-contract.ts';
import { content } from './content.ts';
import type { Example } from './example.ts';
import { digestHeader, reference } from './operation-parameters.ts';
import type { JsonSchema } from './schemas.ts';
import type { Header, Response } from './specification.ts';

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

const successWords = {
  200: 'Done.',
  201: 'Added.',
  202: 'Accepted; changes remain.',
  204: 'Done. The reply has no body.',
} as const;

/** The responses of an endpoint that are no errors, by HTTP status. */
export function successOf(
  endpoint: HttpContract,
  schema: JsonSchema | undefined,
  examples: Readonly<Record<string, Example>>,
): Record<string, Response> {
  const { method, etag, deprecated } = endpoint;
  const notice = deprecationHeadersOf(deprecated);
  const tag = { ETag: etag === 'digest' ? digestHeader : reference('headers', 'ETag') };
  const statuses = successStatuses(endpoint);
  const responses = statuses.map((status): [number, Response] => {
    const sent = {
      ...notice,
      ...(status === 201 && etag === 'revision' ? { Location: reference('headers', 'Location') } : {}),
      ...(status !== 204 && etag !== undefined ? tag : {}),
    };
    // All statuses have one schema; its example is shown with the status of the first example.
    const isShown = status === (Object.values(examples)[0]?.status ?? statuses[0]);
    const ownExamples = Object.entries(examples).filter(
      ([, example]) => isShown && (example.status ?? statuses[0]) === status,
    );
    return [
      status,
      {
        description: successWords[status],
        ...(Object.keys(sent).length === 0 ? {} : { headers: sent }),
        ...(status === 204
          ? {}
          : {
              content: content({ schema, format: replyFormatOf(endpoint) }, Object.fromEntries(ownExamples), 'reply'),
            }),
      },
    ];
  });
  return {
    ...Object.fromEntries(responses),
    ...(method === 'GET' && etag !== undefined
      ? {
          304: {
            description:
              etag === 'digest' ? 'Matches If-None-Match.' : 'Unchanged since the revision in If-None-Match.',
            headers: { ...notice, ...tag },
          },
        }
      : {}),
  };
}
