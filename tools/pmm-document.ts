import { MAX_FILTER_TEXT, MAX_LABEL_VALUE, MAX_LABELS, MAX_NAME } from '../functions/domain/fields/common-fields.ts';
import { agentDeclarations } from '../functions/pmm/declarations/agents.ts';
import type { Field } from '../functions/pmm/declarations/field.ts';
import { nodeDeclarations } from '../functions/pmm/declarations/nodes.ts';
import type { Route } from '../functions/pmm/declarations/route.ts';
import { routes } from '../functions/pmm/declarations/routes.ts';
import { serviceDeclarations } from '../functions/pmm/declarations/services.ts';
import { PMM_VERSION } from '../functions/pmm/declarations/version.ts';
import { markdownTable } from '../shared/openapi/markdown.ts';

/** Whether a call works, and what differs. */
function outcomeOf({ operation, differs }: Route): string {
  if (operation === 'unimplemented') return '501';
  return differs === undefined ? 'works' : `works, differs: ${differs}`;
}

const callRow = (route: Route) => [
  `\`${route.method} ${route.path}\``,
  route.summary,
  route.role === 'none' ? 'nobody' : `${route.role}${route.isScoped === true ? ', Registrar' : ''}`,
  outcomeOf(route),
];

function calls(generation: Route['generation'], facades: readonly Route['facade'][]): string {
  const rows = routes.filter((route) => route.generation === generation && facades.includes(route.facade)).map(callRow);
  return markdownTable(['Call', 'What it does', 'Least role', 'Here'], rows);
}

const named = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** The fields whose names differ from ours, each as PMM writes it in an add, a change and a reply. */
function renamedFields(): string {
  const all = [nodeDeclarations, serviceDeclarations, Object.fromEntries(agentDeclarations())].flatMap((declared) =>
    Object.values(declared).flatMap(({ fields }) => fields),
  );
  const differs = ({ native, add, change, reply, isNegative }: Field) =>
    native !== undefined &&
    isNegative !== true &&
    [add, change, reply].some((name) => name !== undefined && name !== native);
  const rows = all
    .filter(differs)
    .map(({ native = '', add = '', change = '', reply = '' }) =>
      [native, add, change, reply].map((name) => (name === '' ? '' : `\`${name}\``)),
    );
  const distinct = new Map(rows.map((row) => [row.join(), row]));
  return markdownTable(['Our field', 'PMM: add', 'PMM: change', 'PMM: reply'], [...distinct.values()]);
}

function credentialFields(): string {
  const all = [...agentDeclarations().values()].flatMap(({ fields }) => fields);
  const names = all.flatMap(({ isCredential, add }) => (isCredential === true && add !== undefined ? [add] : []));
  return named([...new Set(names)].sort());
}

/** docs/pmm.md: how clients of PMM use this service. */
export function pmmDocument(): string {
  return `# PMM's clients: what works, and what differs?

The clients of Percona Monitoring and Management (PMM 2 and PMM 3: \`pmm-admin\`, the set-up of \`pmm-agent\`, Ansible roles, scripts) can read and
change the inventory of this service. Its hosts [move here](move-from-pmm.md) with a dozen commands. The dashboards, query analytics, advisors
and backups of PMM stay with PMM: this service stores no metrics and no queries, and a Prometheus or vmagent of yours
[collects the metrics](connect-agents.md#metrics).

<!-- not run: needs the programs of PMM; tests/agents/document.long.test.ts runs a set-up with models of them -->

\`\`\`sh
pmm-admin --server-url=https://service_token:$KEY@inventory.example.com inventory list nodes
pmm-agent setup --server-address=inventory.example.com --server-username=service_token --server-password=$KEY 10.0.0.1 generic db-1
\`\`\`

A key is the password of the user \`service_token\` or \`api_key\`, or a Bearer token. The account \`admin\` works as well. A Viewer may read,
an Editor may change, and only an Admin may read the settings; PMM requires an Admin for all of these. A Registrar registers its own host
(without \`--force\` while its node has no agent process), adds services on it, and lists the objects below its node.

The setting \`pmmCompatibility=false\`, or \`PMM_COMPATIBILITY=false\` on one machine, leaves these calls out.
[pmm-calls.md](pmm-calls.md) lists them.

## Keys for operators, charts and scripts

Operators of Percona, Helm charts and scripts make their key by the API of PMM's Grafana, with the password of \`admin\` or an Admin key. The
same calls work here:

<!-- run: tests/end-to-end/documented-requests.long.test.ts -->

\`\`\`sh
B=https://admin:$ADMIN_PASSWORD@inventory.example.com/graph/api J='Content-Type: application/json'
curl -sS -H "$J" -d '{"name": "operator", "role": "Admin"}' $B/auth/keys | jq -r .key                    # PMM 2
ID=$(curl -sS -H "$J" -d '{"name": "operator", "role": "Admin"}' $B/serviceaccounts | jq -r .id)         # PMM 3
curl -sS -H "$J" -d '{"name": "operator-1", "secondsToLive": 2592000}' $B/serviceaccounts/$ID/tokens | jq -r .key
\`\`\`

- The key is an API key of this service: \`GET /v1/api-keys\` lists it, it is rotated and removed as every other key, its name is unique among
  all keys, and \`secondsToLive\` is its time to live. The rules of [keys.md](keys.md) apply, also that a key with an end makes none that ends later.
- A service account is a group of keys with one role. It grants nothing itself. Its removal removes its keys. It keeps its name and its role,
  and cannot be disabled.
- Names have at most 128 characters. Ids are integers of up to 15 digits: digests of the name of an account, and of the \`key_id\` of a key.
- Errors have the form of Grafana, \`{"message": ...}\`: 409 for a key whose name is taken; 400 with \`messageId\` for an account
  (\`serviceaccounts.ErrAlreadyExists\`) and a token (\`serviceaccounts.ErrTokenAlreadyExists\`); 403 for a lower role.
- \`GET /graph/api/health\` needs no credentials. Other calls of Grafana (users, organisations, dashboards) do not exist: 404.

## What is different

| Subject | Here |
|---|---|
| Credentials | Passwords, keys and certificates in requests are accepted and discarded: never stored, logged or returned. Registrations say so in their \`warning\`. Configure them on the host of the agent. The fields: ${credentialFields()}. |
| Connection checks | are skipped |
| Metrics mode | \`AUTO\` is pull, with exporters that listen on the loopback interface; \`PULL\` exposes them on all interfaces, without the password of PMM; \`PUSH\` is stored, and nobody takes the metrics: [connect-agents.md](connect-agents.md#metrics). |
| The stream of pmm-agent | on one machine, and in the cloud with the setting \`agentGateway\`. Exporters read their passwords from [files of the host](exporter-credentials.md); query analytics are not started. |
| A service on several nodes | has the first of them as \`node_id\`. A change keeps the others. |
| A service on no node | has an empty \`node_id\` |
| An agent with several targets | has the first of them as \`service_id\` or \`node_id\`. A change keeps the others. |
| Fields without a counterpart | (timers of nodes, for example) keep their values when a client of PMM changes the object |
| Addresses | must be host names, IP addresses or instance identifiers. A node without an address, or with a loopback address, gets its name as address, or else the source address of the request, or else its name with hyphens. |
| Limits that PMM does not have | Names have at most ${MAX_NAME} characters; regions, environments, clusters, replication sets and groups ${MAX_FILTER_TEXT}. An object has at most ${MAX_LABELS} labels, with values of at most ${MAX_LABEL_VALUE.toLocaleString('en')} characters. |
| Addresses that PMM accepts | Link-local, unspecified, multicast and reserved addresses, and those of the services of a cloud, are refused: nodes and services are scraped at their address. |
| Names | must not begin or end with white space |
| Messages | A field under both of its names (\`node_id\` and \`nodeId\`), and two members of a oneof, are refused as protojson does. A compressed body is refused with a message that says so. |
| Errors | have the words of the last versions of PMM 3 and PMM 2 |
| Registering again | (\`--force\`) keeps the ids of the node and its agents, and the services. PMM removes them. |
| Ids | PMM 2 writes ids with a prefix (\`/node_id/...\`), as here for its calls. All calls accept both forms. |
| Objects of PMM's own server | (\`pmm-server\`) do not exist. A database of RDS requires the \`pmm_agent_id\` of another agent process. |
| External exporters | belong to no agent process: none is in the list of its agents |
| Lists | have no pages. In a reply above 6 MB, objects above 2,000 bytes lack values: first those of the [owner](teams.md) with the most bytes, the largest first. Agents of services are shown as in the list of nodes; then labels, texts above 64 characters and lists of texts are absent, but no names and addresses. The label \`__dropped_values__\` states how many. A client that writes it back is refused, so it removes no labels. Get the object for all values. A reply that still does not fit is an error that names our list with pages. In the management list of services, the agents of a service that take more than 32 kB are shown as in the list of nodes. |
| Version | \`/v1/server/version\` and \`/v1/version\` state ${PMM_VERSION[3]}, \`/managed/v1/version\` states ${PMM_VERSION[2]}: see [versions](#versions). |
| Status of an agent | follows from [reports](reports.md). An agent that this service never starts (\`not_supported\`) is \`WAITING\`. An agent that was added by a client of PMM and reports here is live. A disabled agent is \`DONE\`, also after it is enabled, until it reports. |

Everything else applies to these objects too: the change feed, the audit, states and cleanup.

## Versions

PMM 2 serves \`/v1/version\`, and the proxy of PMM 3 serves it as \`/v1/server/version\`. Programs decide by its reply: pmm-dump refuses a
\`server.version\` below 2.12.0 (it compares texts), and programs of both generations use that of the first number of \`version\`. So, while
these calls are served, \`version\`, \`server.version\` and \`managed.version\` are ${PMM_VERSION[3]} in both replies. A program that accepts PMM 2
only finds ${PMM_VERSION[2]} at \`/managed/v1/version\`. The version of this service is at the end of \`full_version\`, and \`/v1/version\` has it
in \`build.version\`. With \`pmmCompatibility=false\`, \`version\` is that of this service, and the fields of PMM are left out. There are no
updates: \`/v1/server/updates\` and the calls below \`/v1/Updates\` are answered with 501.

The parameter \`dummy\` of \`/v1/server/version\`, with which PMM's own tests ask for an error, has an effect for an Admin only.

## What a host keeps

\`pmm-agent setup\` (and \`pmm-admin config\`) writes the user and the password that it was given into the configuration of pmm-agent, in plain
text (\`/usr/local/percona/pmm/config/pmm-agent.yaml\`, or \`pmm2\` for PMM 2). PMM 3 would replace them by a token of the host; here the token
is empty, so they stay. Do not set up hosts with \`admin\`: every host would keep the password of the account. Use a key of the host
([enrolment](hosts.md)), or a key that ends; a key in that file is replaced by running the set-up again with \`--force\`, which here
[keeps](connect-agents.md#set-up-a-host) ids, services and agents.

A host that is registered stays \`never_seen\` until its pmm-agent [connects](connect-agents.md) or something [reports for it](reports.md). A
deployment without \`agentGateway\` does not serve the stream of pmm-agent: it retries, starts no exporters, and logs each failure.
`;
}

/** docs/pmm-calls.md: every call, and the fields with names of PMM. */
export function pmmCallsDocument(): string {
  return `# Calls of PMM's clients: which are served?

[pmm.md](pmm.md) says what is different in all of them.

## PMM 3

${calls(3, ['inventory', 'management', 'server', 'keys', 'health'])}

Any other call below these paths is answered with 404, code 5.

## PMM 2

${calls(2, ['inventory', 'management', 'server', 'keys'])}

## Fields

Fields have the names of our API, except these:

${renamedFields()}
`;
}
