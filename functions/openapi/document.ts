import { openApiDocument } from '../../shared/openapi/document.ts';
import type { ErrorExamples } from '../../shared/openapi/error-responses.ts';
import type { OpenApiDocument, Tag } from '../../shared/openapi/specification.ts';
import { MAX_BODY_BYTES } from '../../shared/http/http-contract.ts';
import { endpoints } from '../api/endpoints.ts';
import { admissionOf } from './admission.ts';
import { examples } from './examples.ts';

const nodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e01';

/** In the order of the documentation. */
const tags: readonly Tag[] = [
  { name: 'Nodes', description: 'Machines, containers and cloud instances.' },
  { name: 'Services', description: 'Databases and proxies, each on no node, one, or several.' },
  { name: 'Agents', description: 'Programs that give insight into nodes and services.' },
  { name: 'Life cycle', description: 'Cleanup of ephemeral nodes, and restore of removed objects.' },
  { name: 'Changes', description: 'The change feed and the audit log.' },
  { name: 'Summary', description: 'Totals, what needs attention, and metrics.' },
  { name: 'Silences', description: 'Objects that cause no attention for some time.' },
  { name: 'Saved filters', description: 'Private and shared filters of the lists in the console.' },
  { name: 'Discovery', description: 'Agents as scrape targets.' },
  { name: 'Bulk', description: 'Many objects in one request, export and import.' },
  { name: 'API keys', description: 'Credentials of programs, each with a role and an expiry.' },
  { name: 'Enrolment', description: 'Enrolment tokens, which hosts exchange for their own keys.' },
  { name: 'Users', description: 'People who log in by name, their invitations and sessions.' },
  { name: 'Role bindings', description: 'Roles of people and programs that an identity provider knows.' },
  { name: 'Server', description: 'The server, its sessions and the caller.' },
];

const errorExamples: ErrorExamples = {
  invalidArgument: {
    message: 'port: Must be at most 65535. colour: Unknown field.',
    details: [
      { field: 'port', reason: 'out_of_range', message: 'Must be at most 65535.' },
      { field: 'colour', reason: 'unknown_field', message: 'Unknown field.' },
    ],
  },
  failedPrecondition: { message: `Node with ID "${nodeId}" has services.` },
};

/**
 * The OpenAPI document of the inventory.
 *
 * @param version the version of the service, as in package.json.
 */
export function inventoryDocument(version: string): OpenApiDocument {
  return openApiDocument({
    endpoints,
    admissionOf,
    examples,
    info: {
      title: 'Monitoring inventory',
      version,
      summary: 'The inventory of nodes, services and agents of a database monitoring system.',
      description:
        'A **node** is a machine or container, a **service** is a database or a proxy, an **agent** monitors nodes or ' +
        'services. The inventory only stores descriptions: it creates and destroys no machines or databases.\n\nBodies ' +
        `are JSON in UTF-8, with at most ${MAX_BODY_BYTES} bytes where nothing else is stated; ` +
        'export and import use one JSON value per line. Times are RFC 3339 in UTC. Field names are ' +
        'snake_case. A request with an unknown field is refused. Replies may gain fields: ignore unknown ones. Every ' +
        'reply that is not a success is an `Error`. The reply to an unknown path is 404; to another method of a known ' +
        'path, 405 with `Allow`. HEAD is supported like GET. Every reply contains `X-Request-Id`, which identifies the ' +
        'request in the logs and in the audit log.',
      // Without an address: the project publishes none.
      contact: { name: 'The monitoring-inventory project' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server of this document.' }],
    tags,
    credentials: {
      bearer: 'An API key or a session key.',
      basic:
        'User `api_key` with an API key as the password, for tools without Bearer support; or a user name, such as ' +
        '`admin`, with its password.',
    },
    errorExamples,
  });
}
