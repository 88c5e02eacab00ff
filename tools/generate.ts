import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { endpoint as reportAgents } from '../functions/api/agents/report/endpoint.ts';
import { agentTypeEntry, agentTypes } from '../functions/domain/agent/types.ts';
import { statusTransitions } from '../functions/domain/agent/lifecycle.ts';
import { inventoryDocument } from '../functions/openapi/document.ts';
import { serialise } from '../shared/openapi/serialise.ts';
import { share } from '../shared/openapi/share.ts';
import { errorBody, errorKinds, type ErrorKind } from '../shared/http/errors.ts';
import { MAX_BODY_BYTES } from '../shared/http/endpoint.ts';
import { MAX_NESTING } from '../shared/http/pipeline.ts';
import type { TypeColumn } from '../shared/openapi/field-tables.ts';
import { markdownTable } from '../shared/openapi/markdown.ts';
import { apiReference } from '../shared/openapi/reference.ts';
import type { OpenApiDocument } from '../shared/openapi/specification.ts';
import { costDocument } from './cost-document.ts';

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

What clients can rely on, and what they must bear, is in [versioning.md](versioning.md).

The same in machine-readable form is served at \`/swagger/openapi.json\`, and at \`/swagger/\` as a page that can send requests.

## Conventions

### Credentials and roles

A request presents either

- an API key or session key: \`Authorization: Bearer <key>\`, or Basic with the user \`api_key\` and the key as the password,
  so that \`curl -u api_key:<key>\` works; or
- a user name and password: Basic, with the user \`admin\` for one.

Roles are \`Viewer\`, \`Editor\` and \`Admin\`: each may do all that those before it may. An operation names the least role that
may call it; \`none\` is open to everybody. A \`Registrar\` stands apart: it is bound to one node, and may call what says so, for
that node and what hangs below it ([docs/keys.md](keys.md)). A key that is missing, wrong or expired is answered with 401, a role that is too
low with 403.

### Changes

A change (\`PATCH\`) is a JSON Merge Patch (RFC 7396), sent as \`application/json\`: a field that is absent stays, \`null\` clears it or
sets it back to its default, labels merge by name, lists are replaced as a whole. The result must be what an add of that
type would accept.

### Declarations

A declaration (\`PUT\`) names an object by its natural key and is the whole of it: it is added, changed or left as it is, and
\`outcome\` says which (201 when added, else 200). A field that is left out is cleared or set back to its default. The id stays,
and so does everything that depends on the object.

### Repeated adds

An add (\`POST\`) that takes an \`Idempotency-Key\` has one effect however often it is sent within 24 hours under one key, and the
same answer each time; with another body it is refused with 422. [Automation](automation.md) has examples of both.

### Conditional requests

Every node, service and agent has a \`revision\`: 1 when added, one more with each change. Replies carry it as
\`ETag: "<revision>"\`. With \`If-Match: "<revision>"\`, a change or removal is done only if that is still the revision, and refused
with 412 otherwise. With \`If-None-Match: "<revision>"\`, a get answers 304 without a body while that is still the revision; with
\`If-None-Match: *\`, a declaration only adds.

### Lists

A list answers one page, and \`next_page_token\` when there is more: send it as \`page_token\` with the same filters to get the
next page. A page may be short, even empty; only a missing token ends the list. A token is opaque and good for its own
list only. Nodes, services and API keys are sorted by name, agents by type and then id. Many objects at once: [bulk.md](bulk.md), [reconcile.md](reconcile.md).

### Errors

Every reply that is not a success has this shape, whoever answers:

\`\`\`json
${JSON.stringify(errorBody('notFound', 'Node with ID "x" not found.', '6f1c9f52-3d0b-4f0e-9b61-1d8b5a3f2c77'), null, 2)}
\`\`\`

\`code\` and \`status\` are the canonical codes of gRPC; \`error\` repeats \`message\` for older clients. \`details\` names every
field that breaks a rule: \`{ "field": "port", "reason": "out_of_range", "message": "..." }\`. A failed request leaves
nothing behind. After 429 and 503, wait as long as \`Retry-After\` says and send the request again.

${errorTable()}

### Limits

A body has at most ${MAX_BODY_BYTES} bytes, unless the operation says otherwise, and is nested at most ${MAX_NESTING} levels deep. A request with an unknown field or parameter, or with a
parameter that is given twice, is refused: nothing is silently ignored. Credentials are never stored: a field for one is
refused, and says so.`;

const nodeRules = `### What is unique

\`node_name\` is unique among all nodes, case-sensitive and as given. Among nodes with a region, the pair of \`address\` and
\`region\` is unique. \`container_id\` is unique when given. The address of a \`remote_rds\` node is its instance identifier and has no dots.`;

const serviceRules = `### How a service is reached

A type that has \`address\`, \`port\` and \`socket\` takes either an address with a port, or a socket; never both, never neither.
\`service_name\` is unique among all services, case-sensitive and as given; addresses are not.`;

const places = {
  node: 'on the node that it names',
  pmm_agent: 'under a pmm_agent, on the node of that one',
  anywhere: 'anywhere; may name a node; nothing here starts it',
} as const;

/** What an agent may give insight into, in words. */
function targetsOf(type: (typeof agentTypes)[number]): string {
  const { services, nodes, watchesItsNode } = agentTypeEntry(type);
  const list = (noun: string, types: readonly string[]) =>
    types.length === 0 ? [] : [`${noun}: ${types.map((target) => `\`${target}\``).join(', ')}`];
  const targets = [...list('nodes', nodes), ...list('services', services)].join('; ');
  return `${targets === '' ? 'nothing' : targets}${watchesItsNode === true ? ' (its own node unless told)' : ''}`;
}

const agentColumns: readonly TypeColumn[] = [
  { heading: 'Runs', cells: new Map(agentTypes.map((type) => [type, places[agentTypeEntry(type).place]])) },
  { heading: 'May give insight into', cells: new Map(agentTypes.map((type) => [type, targetsOf(type)])) },
];

const statusWords: Readonly<Record<keyof typeof statusTransitions, string>> = {
  unknown: 'nothing was reported yet, or its agent process is gone',
  starting: 'is being started',
  running: 'runs',
  waiting: 'failed, and is started again after a while',
  stopping: 'is being stopped',
  done: 'does not run, and is not going to',
};

const agentStatus = `### Status

\`disabled\` says what is wanted. \`status\` says what the agent process last reported of the agent; a \`pmm_agent\` has \`connected\`
instead. An agent is \`unknown\` when added, or \`done\` when added as disabled. Disabling it makes it \`done\` at once; enabled again,
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

The same status may be reported again. Anything else is impossible and is refused with \`FAILED_PRECONDITION\`, and so is any report
but \`stopping\` and \`done\` for a disabled agent, which stays \`done\`. \`unknown\` is never reported: an agent falls back to it when
its agent process disconnects, after which any report is possible.`;

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
    ['swagger-static/swagger/openapi.json', serialise(share(document))],
    ['docs/api.md', reference],
    ['docs/costs.md', costDocument()],
  ]);
}

/** Every generated file of the deployment, from the template as it is synthesised. */
async function deploymentFiles(): Promise<ReadonlyMap<string, string>> {
  // The CDK takes seconds to load, and tests of the documents need none of it.
  const [{ synthesise }, { routeSheet }, { permissionList }] = await Promise.all([
    import('../infra/synthesise.ts'),
    import('../infra/route-sheet.ts'),
    import('../infra/permission-list.ts'),
  ]);
  const template = synthesise();
  return new Map([
    ['infra/route-sheet.txt', routeSheet(template)],
    ['infra/permission-list.txt', permissionList(template)],
  ]);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(new URL(path, root), 'utf8');
  } catch {
    return undefined; // not there yet
  }
}

async function run(check: boolean): Promise<void> {
  for (const [path, text] of [...(await generatedFiles()), ...(await deploymentFiles())]) {
    if ((await textOf(path)) === text) continue;
    if (check) {
      process.stderr.write(`${path} differs from its source: run node tools/generate.ts\n`);
      process.exitCode = 1;
    } else {
      await writeFile(new URL(path, root), text);
      process.stdout.write(`${path}\n`);
    }
  }
}

if (import.meta.main) await run(process.argv.includes('--check'));
