import { openApiDocument } from '../../shared/openapi/document.ts';
import type { OpenApiDocument } from '../../shared/openapi/specification.ts';
import { MAX_BODY_BYTES } from '../../shared/http/endpoint.ts';
import { endpoints } from '../api/endpoints.ts';
import { examples } from './examples.ts';

const nodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e01';

/**
 * The OpenAPI document of the inventory.
 *
 * @param version the version of the service, as in package.json.
 */
export function inventoryDocument(version: string): OpenApiDocument {
  return openApiDocument({
    endpoints,
    examples,
    info: {
      title: 'Monitoring inventory',
      version,
      summary: 'The list of nodes, services and agents of a database monitoring system.',
      description:
        'A **node** is where things run, a **service** is a database or a proxy, an **agent** gives insight into the ' +
        'two. Adding one creates nothing in the world, removing one destroys nothing.\n\n' +
        'Bodies are JSON in UTF-8, those of export and import a JSON value per line. Times are RFC 3339 in UTC. Field names are snake_case; a request with a field that ' +
        'is not known is refused, while replies may gain fields: ignore those that you do not know. Every reply that is not a success ' +
        'is an `Error`; the reply to an unknown path is a 404, to another method of a known one a 405 with `Allow`. HEAD is ' +
        'answered wherever GET is, with the same headers. `X-Request-Id` on every reply names the request in the logs and in the audit.',
      // Without an address: the project publishes none.
      contact: { name: 'The monitoring-inventory project' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    tags: [
      { name: 'Nodes', description: 'Where services and agents run: machines, containers, and what a cloud manages.' },
      { name: 'Services', description: 'Databases and proxies, each on no node, one, or several.' },
      { name: 'Agents', description: 'What gives insight into nodes and services.' },
      { name: 'Life cycle', description: 'What is gone: ephemeral nodes to remove, and what was removed, to restore.' },
      { name: 'Changes', description: 'What was changed, when, and by whom.' },
      { name: 'Discovery', description: 'The agents as other programs want to know them.' },
      { name: 'Bulk', description: 'Many objects in one request, and the whole inventory as a file.' },
      { name: 'API keys', description: 'Credentials of machines, each with a role and an end.' },
      { name: 'Enrolment', description: 'How a host comes to a key of its own, bound to the node that it is.' },
      { name: 'Server', description: 'The server itself, and who is calling it.' },
    ],
    credentials: {
      bearer: 'An API key or a session key.',
      basic:
        'User `api_key` with an API key as the password, for tools that know nothing else; or a user name, such as ' +
        '`admin`, with its password.',
    },
    errorExamples: {
      invalidArgument: {
        message: 'port: Must be at most 65535. colour: Unknown field.',
        details: [
          { field: 'port', reason: 'out_of_range', message: 'Must be at most 65535.' },
          { field: 'colour', reason: 'unknown_field', message: 'Unknown field.' },
        ],
      },
      unsupportedMediaType: { message: 'Send the body as application/json, in UTF-8 and not compressed.' },
      failedPrecondition: { message: `Node with ID "${nodeId}" has services.` },
      revisionMismatch: { message: 'Node is at revision 3 by now.' },
      idempotencyKeyReused: { message: 'This Idempotency-Key was sent before, with another request.' },
      gone: { message: 'Changes since then are not kept any more. Read the inventory anew, from since=now on.' },
      notFound: { message: `Node with ID "${nodeId}" not found.` },
      methodNotAllowed: { message: 'Method Not Allowed' },
      alreadyExists: { message: 'Node with name "shop-db-1" already exists.' },
      permissionDenied: { message: 'Access denied.' },
      bodyTooLarge: { message: `The body must have at most ${MAX_BODY_BYTES} bytes.` },
      resourceExhausted: { message: 'Too many requests. Try again.' },
      unauthenticated: { message: 'Unauthorized' },
      internal: { message: 'Internal server error.' },
      unavailable: { message: 'The service is busy. Try again.' },
    },
  });
}
