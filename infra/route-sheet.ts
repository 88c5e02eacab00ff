import { endpoints } from '../functions/api/endpoints.ts';
import { rateKey } from '../functions/store/table/keys.ts';
import { methodsOf } from '../shared/http/endpoint.ts';
import { grantsOf, resourceAt, type Statement, type Template } from './synthesise.ts';

const rates = rateKey('*', '*').pk;

const read = ['BatchGetItem', 'GetItem', 'Query'];
const write = [...read, 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'];

const sorted = (texts: Iterable<string>) => [...new Set(texts)].sort();

/** The right to count requests has every function that asks who calls: it would say nothing here. */
const isCounting = ({ Condition = {} }: Statement) =>
  JSON.stringify(Condition).includes(`"dynamodb:LeadingKeys":${JSON.stringify([rates])}`);

/** `read`, `write` with whatever else there is, or whatever the actions are. */
function accessOf(statements: readonly Statement[]): string {
  const actions = sorted(statements.flatMap(({ Action }) => Action)).map((action) => action.replace(/^dynamodb:/, ''));
  const text = actions.join(' ');
  if (text === sorted(read).join(' ')) return 'read';
  if (write.every((action) => actions.includes(action)))
    return ['write', ...actions.filter((action) => !write.includes(action))].join(' ');
  return text === '' ? '-' : text;
}

/** What the conditions say about partition keys. */
function partitionsOf(statements: readonly Statement[]): string {
  const lines = statements.flatMap(({ Condition = {} }) =>
    Object.entries(Condition).flatMap(([operator, { 'dynamodb:LeadingKeys': keys }]) => {
      if (!Array.isArray(keys)) return [];
      return [`${operator.includes('Not') ? 'not' : 'only'} ${keys.join(' ')}`];
    }),
  );
  // A writer's conditions are the longest: what is readable is not always writable.
  return lines.toSorted((left, right) => right.length - left.length)[0] ?? '-';
}

function line(template: Template, path: string, [method, route, id, role]: readonly [string, string, string, string]) {
  const { MemorySize, Timeout } = resourceAt(template, `${path}/Function/Resource`).properties;
  const statements = grantsOf(template, path).filter((statement) => !isCounting(statement));
  return [
    method,
    route,
    id,
    role,
    accessOf(statements),
    partitionsOf(statements),
    `${String(MemorySize)} MB`,
    `${String(Timeout)} s`,
  ];
}

/** The least role; a Registrar besides where the contract opens the endpoint to one. */
const roleText = (role: string, scoped: boolean) => (scoped ? `${role}, Registrar` : role);

function aligned(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * What is deployed, one line per function, as read from the template: a change of who may call what, and of what a function
 * may do, shows in a diff.
 */
export function routeSheet(template: Template): string {
  const heading = ['METHOD', 'PATH', 'FUNCTION', 'LEAST ROLE', 'TABLE', 'PARTITIONS', 'MEMORY', 'TIMEOUT'];
  const byPath = endpoints.toSorted(
    (left, right) => left.path.localeCompare(right.path) || left.method.localeCompare(right.method),
  );
  const rows = byPath.map(({ id, method, path, role, scoped = false }) =>
    line(template, `Functions/${id}`, [methodsOf({ method }).join(' '), path, id, roleText(role, scoped)]),
  );
  const others = [
    line(template, 'Functions/catchAll', ['ANY', '(all other)', 'catchAll', 'Viewer']),
    line(template, 'Functions/authorizer', ['-', '(authorizer)', 'authorizer', '-']),
    line(template, 'FirstAccess/setUp', ['-', '(deployment)', 'setUp', '-']),
    line(template, 'GatewayLogs/gatewayLogRole', ['-', '(deployment)', 'gatewayLogRole', '-']),
    line(template, 'Site/Files/publishSite', ['-', '(deployment)', 'publishSite', '-']),
    line(template, 'Jobs/continueJobs', ['-', "(the table's stream)", 'continueJobs', '-']),
    line(template, 'Events/publishChanges', ['-', "(the table's stream)", 'publishChanges', '-']),
    line(template, 'Cleanup/scheduledCleanup', ['-', '(the clock)', 'scheduledCleanup', '-']),
  ];
  return `${aligned([heading, ...rows, ...others])}\n`;
}
