import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { endpoint as reportAgents } from '../functions/api/agents/report/endpoint.ts';
import { agentTypeEntry, agentTypes } from '../functions/domain/agent/types.ts';
import { statusTransitions } from '../functions/domain/agent/lifecycle.ts';
import { inventoryDocument } from '../functions/openapi/document.ts';
import { serialise } from '../shared/openapi/serialise.ts';
import { withNamedDefaults } from '../shared/openapi/named-defaults.ts';
import { errorBody, type ErrorKind, errorKinds } from '../shared/core/errors.ts';
import { MAX_BODY_BYTES } from '../shared/http/http-contract.ts';
import { MAX_NESTING } from '../shared/http/json-body.ts';
import type { TypeColumn } from '../shared/openapi/field-tables.ts';
import { markdownTable } from '../shared/openapi/markdown.ts';
import { apiReference } from '../shared/openapi/reference.ts';
import type { OpenApiDocument } from '../shared/openapi/specification.ts';
import { pmmCallsDocument, pmmDocument } from './pmm-document.ts';
import { pmmOpenApi } from './pmm-openapi/document.ts';
import { scaleDocument } from './scale-document.ts';
import { reportMissingParts } from './endpoint-parts.ts';
import { commandLineContract } from './cli-contract.ts';
import { commandLineDocument } from './cli-document.ts';
import { providerKinds, terraformProvider } from './terraform-provider.ts';
import { terraformRules } from './terraform-rules.ts';
import { ansibleContract } from './ansible-contract.ts';
import { typeScriptClient } from './typescript-client/generate.ts';

const root = new URL('../', import.meta.url);

const packageSchema = z.object({ version: z.string() });

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

const conventions = `<!-- Generated from the contracts in functions/ by \`node tools/generate.ts\`: change those, not this file. -->

[versioning.md](versioning.md) describes compatibility. The server publishes the OpenAPI document at \`/swagger/openapi.json\`
and an API browser at \`/swagger/\`.

## Conventions

### Credentials and roles

A request contains either

- an API key or session key: \`Authorization: Bearer <key>\`, or Basic with the user \`api_key\` and the key as the password,
  so that \`curl -u api_key:<key>\` works; or
- a user name and password: Basic, for example with the user \`admin\`.

The roles are \`Viewer\`, \`Editor\` and \`Admin\`. Each role includes the permissions of the roles before it. Every operation states
its minimum role; \`none\` requires no credentials. A \`Registrar\` is bound to one node. It may call the operations that say so, for
its node and the dependent objects ([docs/keys.md](keys.md)). A \`Relay\` may call \`POST /v1/reports\` and nothing else. A
\`Gateway\` may also list changes, and get and list nodes, services and agents. A missing, wrong or expired key is refused with 401, an insufficient role
with 403.

### Changes

A change (\`PATCH\`) is a JSON Merge Patch (RFC 7396), sent as \`application/json\`: an absent field keeps its value, \`null\` clears it or
sets it to its default, labels merge by name, lists are replaced as a whole. The result must be valid for an add of that
type.

### Upserts

An upsert (\`PUT\`) names an object by its natural key and contains the whole object. The object is added, changed or unchanged;
\`outcome\` says which (201 when added, otherwise 200). An absent field is cleared or set to its default. The id and the dependent
objects do not change.

### Repeated adds

An add (\`POST\`) that takes an \`Idempotency-Key\` has one effect if it is repeated within 24 hours under one key, and
returns the same reply each time. With another body it is refused with 422. [Automation](automation.md) has examples of both.

### Conditional requests

Every node, service and agent has a \`revision\`: 1 when added, incremented by each change. Replies contain it as
\`ETag: "<revision>"\`. With \`If-Match: "<revision>"\`, a change or removal is refused with 412 if the object has another revision.
With \`If-None-Match: "<revision>"\`, the reply to a get is 304 without a body if the revision is the same; with
\`If-None-Match: *\`, an upsert only adds.

### Lists

A list returns one page, and \`next_page_token\` if more pages exist: send it as \`page_token\` with the same filters to get the
next page. A page can be short or empty; the list ends when the token is absent. A token is opaque and valid only for its
list. Nodes, services and API keys are sorted by name, agents by type and then id. Many objects at once: [bulk.md](bulk.md), [reconcile.md](reconcile.md).

### Errors

Every reply that is not a success has this shape:

\`\`\`json
${JSON.stringify(errorBody('notFound', 'Node with ID "x" not found.', '6f1c9f52-3d0b-4f0e-9b61-1d8b5a3f2c77'), null, 2)}
\`\`\`

\`code\` and \`status\` are the canonical codes of gRPC; \`error\` repeats \`message\` for older clients. \`details\` names every
field that violates a rule: \`{ "field": "port", "reason": "out_of_range", "message": "..." }\`. A failed request has no
effect. After 429 and 503, wait for the time in \`Retry-After\` and repeat the request.

${errorTable()}

### Limits

A body has at most ${MAX_BODY_BYTES} bytes, unless the operation states another limit, and at most ${MAX_NESTING} levels of nesting. A request with an unknown
field or parameter, or with a repeated parameter, is refused; nothing is ignored silently. Credentials are never stored: a
field for a credential is refused.`;

const nodeRules = `### Unique fields

\`node_name\` is unique among all nodes, case-sensitive and as given. Among nodes with a region, the pair of \`address\` and
\`region\` is unique. \`container_id\` is unique when given. The address of a \`remote_rds\` node is its instance identifier and has no dots.`;

const serviceRules = `### Addresses of services

A type that has \`address\`, \`port\` and \`socket\` requires either an address with a port, or a socket.
\`service_name\` is unique among all services, case-sensitive and as given; addresses are not.`;

const places = {
  node: 'on the node that it names',
  pmm_agent: 'under a pmm_agent, on the node of the pmm_agent',
  anywhere: 'anywhere; may refer to a node; not started by a pmm_agent',
} as const;

/** The targets of an agent, in words. */
function targetsOf(type: (typeof agentTypes)[number]): string {
  const { services, nodes, watchesItsNode } = agentTypeEntry(type);
  const list = (noun: string, types: readonly string[]) =>
    types.length === 0 ? [] : [`${noun}: ${types.map((target) => `\`${target}\``).join(', ')}`];
  const targets = [...list('nodes', nodes), ...list('services', services)].join('; ');
  return `${targets === '' ? 'nothing' : targets}${watchesItsNode === true ? ' (default: its own node)' : ''}`;
}

const agentColumns: readonly TypeColumn[] = [
  { heading: 'Runs', cells: new Map(agentTypes.map((type) => [type, places[agentTypeEntry(type).place]])) },
  { heading: 'May give insight into', cells: new Map(agentTypes.map((type) => [type, targetsOf(type)])) },
];

const statusWords: Readonly<Record<keyof typeof statusTransitions, string>> = {
  unknown: 'no report yet, or its agent process is disconnected',
  starting: 'is being started',
  running: 'runs',
  waiting: 'failed, and will be restarted',
  stopping: 'is being stopped',
  done: 'does not run',
};

const agentStatus = `### Status

\`disabled\` is the desired state. \`status\` is the state that the agent process last reported; a \`pmm_agent\` has \`connected\`
instead. A new agent is \`unknown\`, or \`done\` if it is disabled. Disabling an agent sets it to \`done\` at once. After it is enabled again,
it stays \`done\` until its process reports, with \`${reportAgents.method} ${reportAgents.path}\`. A report must follow this table:

${markdownTable(
  ['Status', 'Meaning', 'May be reported next'],
  Object.entries(statusWords).map(([status, meaning]) => [
    `\`${status}\``,
    meaning,
    Object.entries(statusTransitions)
      .flatMap(([from, next]) => (from === status ? next : []))
      .map((next) => `\`${next}\``)
      .join(', '),
  ]),
)}

The same status may be reported again. Other transitions are refused with \`FAILED_PRECONDITION\`. For a disabled agent, only
\`stopping\` and \`done\` are accepted, and it stays \`done\`. \`unknown\` is never reported: an agent becomes \`unknown\` when its agent process
disconnects, and then any report is accepted.`;

/** The document at the version of package.json. */
export async function currentDocument(): Promise<OpenApiDocument> {
  const { version } = z.parse(packageSchema, JSON.parse(await readFile(new URL('package.json', root), 'utf8')));
  return inventoryDocument(version);
}

/** Every generated file: its text by its path in the checkout. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const document = await currentDocument();
  const reference = apiReference(document, {
    conventions,
    typeColumns: { Agents: agentColumns },
    appendices: { Nodes: nodeRules, Services: serviceRules, Agents: agentStatus },
  });
  return new Map([
    ['swagger-static/swagger/openapi.json', serialise(withNamedDefaults(document))],
    ['docs/api.md', reference],
    ['docs/scale.md', scaleDocument()],
    ['docs/pmm.md', pmmDocument()],
    ['docs/pmm-calls.md', pmmCallsDocument()],
    ['swagger-static/swagger/pmm.json', serialise(pmmOpenApi(document.info.version))],
    ...typeScriptClient(document),
    ...commandLineContract(document),
    ...terraformProvider(document),
    ...terraformRules(providerKinds(document)),
    ['docs/cli.md', commandLineDocument()],
    ...ansibleContract(document),
  ]);
}

/** Every generated file of the deployment, from the template as it is synthesised. */
async function deploymentFiles(): Promise<ReadonlyMap<string, string>> {
  // The CDK takes seconds to load, and tests of the documents need none of it.
  const [{ routeSheet, sheetTemplate }, { permissionList }, { deploymentPolicies }] = await Promise.all([
    import('../infra/synthesis/route-sheet.ts'),
    import('../infra/permissions/permission-list.ts'),
    import('../infra/permissions/execution-policy.ts'),
  ]);
  const template = sheetTemplate();
  return new Map([
    ['infra/synthesis/route-sheet.txt', routeSheet(template)],
    ['infra/permissions/permission-list.txt', permissionList(template)],
    ...deploymentPolicies(),
  ]);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(new URL(path, root), 'utf8');
  } catch {
    return undefined; // not generated yet
  }
}

async function run(check: boolean): Promise<void> {
  for (const [path, text] of [...(await generatedFiles()), ...(await deploymentFiles())]) {
    if ((await textOf(path)) === text) continue;
    if (check) {
      process.stderr.write(`${path} differs from its source. Run node tools/generate.ts\n`);
      process.exitCode = 1;
    } else {
      await writeFile(new URL(path, root), text);
      process.stdout.write(`${path}\n`);
    }
  }
}

if (import.meta.main) {
  await run(process.argv.includes('--check'));
  if (!(await reportMissingParts())) process.exitCode = 1;
}
