import { endpoint as reportAgents } from '../functions/api/agents/report/endpoint.ts';
import type { statusTransitions } from '../functions/domain/agent/lifecycle.ts';
import { errorBody, type ErrorKind, errorKinds } from '../shared/core/errors.ts';
import { MAX_BODY_BYTES } from '../shared/http/http-contract.ts';
import { MAX_NESTING } from '../shared/http/json-body.ts';
import { markdownTable } from '../shared/openapi/markdown.ts';

const isErrorKind = (name: string): name is ErrorKind => Object.hasOwn(errorKinds, name);

function errorTable(): string {
  const rows = Object.keys(errorKinds)
    .filter(isErrorKind)
    .map((kind) => {
      const { code, status } = errorBody(kind, '', '');
      return [String(errorKinds[kind].http), `\`${status}\``, String(code), errorKinds[kind].meaning];
    })
    .toSorted(([left = ''], [right = '']) => left.localeCompare(right));
  return markdownTable(['HTTP', '`status`', '`code`', 'Meaning'], rows);
}

const conventions = `# The API: which conventions do all operations share?

Every operation, with its fields, limits, errors and examples, is in the OpenAPI document and in the API browser that shows it. This page has
what all operations share; [the model](model.md) has the types of objects.

| With | Open |
| --- | --- |
| a server | \`/swagger/\`; the document is \`/swagger/openapi.json\` |
| a checkout | \`npm ci && npm start\`, then \`https://localhost:8443/swagger/\` |
| neither | [released-openapi.json](released-openapi.json), the document of the last release, in any viewer of OpenAPI |

[versioning.md](versioning.md) says what clients can rely on.

## Requests and replies

Bodies are JSON in UTF-8; export and import use one JSON value per line. Times are RFC 3339 in UTC. Names of fields are in snake_case. Replies may
gain fields: ignore unknown ones. HEAD is supported like GET. Every reply has \`X-Request-Id\`, which identifies the request in the
logs and in the audit log.

## Credentials and roles

A request contains either

- an API key or session key: \`Authorization: Bearer <key>\`, or Basic with the user \`api_key\` and the key as the password,
  so that \`curl -u api_key:<key>\` works; or
- a user name and password: Basic, for example with the user \`admin\`.

The roles are \`Viewer\`, \`Editor\` and \`Admin\`. Each role includes the permissions of the roles before it. Every operation states
its minimum role; \`none\` requires no credentials. A \`Registrar\` is bound to one node. It may call the operations that say so, for
its node and the dependent objects ([keys](keys.md)). A \`Relay\` may call \`POST /v1/reports\` and nothing else. A
\`Gateway\` may also list changes, and get and list nodes, services and agents. A missing, wrong or expired key is refused with 401, an insufficient role
with 403.

## Changes

A change (\`PATCH\`) is a JSON Merge Patch (RFC 7396), sent as \`application/json\`: an absent field keeps its value, \`null\` clears it or
sets it to its default, labels merge by name, lists are replaced as a whole. The result must be valid for an add of that
type.

## Upserts

An upsert (\`PUT\`) names an object by its natural key and contains the whole object. The object is added, changed or unchanged;
\`outcome\` says which (201 when added, otherwise 200). An absent field is cleared or set to its default. The id and the dependent
objects do not change.

## Repeated adds

An add (\`POST\`) that takes an \`Idempotency-Key\` has one effect if it is repeated within 24 hours under one key, and
returns the same reply each time. With another body it is refused with 422. [Automation](automation.md) has examples of both.

## Conditional requests

Every node, service and agent has a \`revision\`: 1 when added, incremented by each change. Replies contain it as
\`ETag: "<revision>"\`. With \`If-Match: "<revision>"\`, a change or removal is refused with 412 if the object has another revision.
With \`If-None-Match: "<revision>"\`, a get of the same revision is 304 without a body; with \`If-None-Match: *\`, an upsert only adds.

## Lists

A list returns one page, and \`next_page_token\` if more pages exist: send it as \`page_token\` with the same filters to get the
next page. A page is full or the last one, unless its objects exceed 5 MB or 12 seconds. The list ends when the token is absent.
With \`total=true\`, lists of nodes, services and agents contain \`total\`, how many objects match; \`total_at\`, if present, is when they were counted, at
most a minute ago. A token is opaque and valid only for its
list. Nodes, services and API keys are sorted by name, agents by type and then id. Many objects at once: [bulk.md](bulk.md), [reconcile.md](reconcile.md).

## Errors

Every reply that is not a success has this shape:

\`\`\`json
${JSON.stringify(errorBody('notFound', 'Node with ID "x" not found.', 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7ea1'), null, 2)}
\`\`\`

\`code\` and \`status\` are the canonical codes of gRPC; \`error\` repeats \`message\` for older clients. \`details\` names every
field that violates a rule: \`{ "field": "port", "reason": "out_of_range", "message": "..." }\`. A failed request has no
effect. After 429 and 503, wait for the time in \`Retry-After\` and repeat the request.

${errorTable()}

## Limits

A body has at most ${MAX_BODY_BYTES} bytes, unless the operation states another limit, and at most ${MAX_NESTING} levels of nesting. A request with an unknown
field or parameter, or with a repeated parameter, is refused; nothing is ignored silently. Credentials are never stored: a
field for a credential is refused.`;

const names = `## Unique fields

\`node_name\` is unique among all nodes, case-sensitive and as given. Among nodes with a region, the pair of \`address\` and
\`region\` is unique. \`container_id\` is unique when given. The address of a \`remote_rds\` node is its instance identifier and has no dots.

A service that has \`address\`, \`port\` and \`socket\` requires either an address with a port, or a socket.
\`service_name\` is unique among all services, case-sensitive and as given; addresses are not.`;

const statusWords: Readonly<Record<keyof typeof statusTransitions, string>> = {
  unknown: 'no report yet, or its agent process is disconnected',
  starting: 'is being started',
  running: 'runs',
  waiting: 'failed, and will be restarted',
  stopping: 'is being stopped',
  done: 'does not run',
};

const agentStatus = `## Status of an agent

\`disabled\` is the desired state. \`status\` is the state that the agent process last reported; a \`pmm_agent\` has \`connected\`
instead. A new agent is \`unknown\`, or \`done\` if it is disabled. Disabling an agent sets it to \`done\` at once. After it is enabled again,
it stays \`done\` until its process reports, with \`${reportAgents.method} ${reportAgents.path}\`, and \`stopping\` and \`done\` alone are accepted while
it is disabled. [Reports](reports.md#which-status-can-follow) has the accepted transitions; others are refused with \`FAILED_PRECONDITION\`. \`unknown\` is never reported: an
agent becomes \`unknown\` when its agent process disconnects.

${markdownTable(
  ['Status', 'Meaning'],
  Object.entries(statusWords).map(([status, meaning]) => [`\`${status}\``, meaning]),
)}`;

/** docs/api.md: what all operations of the API share. The API browser shows each of them. */
export const apiDocument = (): string => `${[conventions, names, agentStatus].join('\n\n')}\n`;
