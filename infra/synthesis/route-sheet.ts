import { endpoints } from '../../functions/api/endpoints.ts';
import { facades } from '../../functions/facades.ts';
import { rateKey } from '../../functions/store/table/keys.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { methodsOf, methodsOfFacade } from '../../shared/http/http-contract.ts';
import { grantsOf, resourceAt, type Statement, synthesise, type Template, withObjectsKey } from './synthesise.ts';

const rates = rateKey('*', '*').pk;

const read = ['BatchGetItem', 'GetItem', 'Query'];
const write = [...read, 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'];

const sorted = (texts: Iterable<string>) => [...new Set(texts)].sort();

/** The permission to count requests; every function with authenticated callers has it, so the sheet omits it. */
const isCounting = ({ Condition = {} }: Statement) =>
  JSON.stringify(Condition).includes(`"dynamodb:LeadingKeys":${JSON.stringify([rates])}`);

/** `read`, `write` with additional actions, or the list of actions. */
function accessOf(statements: readonly Statement[]): string {
  const actions = sorted(statements.flatMap(({ Action }) => Action)).map((action) => action.replace(/^dynamodb:/, ''));
  const text = actions.join(' ');
  if (text === sorted(read).join(' ')) return 'read';
  if (write.every((action) => actions.includes(action)))
    return ['write', ...actions.filter((action) => !write.includes(action))].join(' ');
  return text === '' ? '-' : text;
}

function partitionsOf(statements: readonly Statement[]): string {
  const lines = statements.flatMap(({ Condition = {} }) =>
    Object.entries(Condition).flatMap(([operator, { 'dynamodb:LeadingKeys': keys }]) => {
      if (!Array.isArray(keys)) return [];
      return [`${operator.includes('Not') ? 'not' : 'only'} ${keys.join(' ')}`];
    }),
  );
  // The conditions of a writer are the longest: some readable partitions are not writable.
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

/** The minimum role, and the roles outside the order to which the contract opens the endpoint. */
const roleText = ({ role, scoped, relay, gateway }: Endpoint) =>
  [
    role,
    ...(scoped === true ? ['Registrar'] : []),
    ...(relay === true ? ['Relay'] : []),
    ...(gateway === true ? ['Gateway'] : []),
  ].join(', ');

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
 * The template that the sheet and the list of permissions describe: with every function but the optional server of the site.
 *
 * @returns a new one at each call.
 */
export const sheetTemplate = (): Template => synthesise({ stateEvents: true }, withObjectsKey);

/**
 * The deployed functions, one line each, according to the template. The sheet is under version control, so a diff shows
 * every change of permitted callers and of permissions.
 */
export function routeSheet(template: Template): string {
  const heading = ['METHOD', 'PATH', 'FUNCTION', 'LEAST ROLE', 'TABLE', 'PARTITIONS', 'MEMORY', 'TIMEOUT'];
  const byPath = endpoints.toSorted(
    (left, right) => left.path.localeCompare(right.path) || left.method.localeCompare(right.method),
  );
  const rows = byPath.map((endpoint) => {
    const { id, path } = endpoint;
    return line(template, `Functions/${id}`, [methodsOf(endpoint).join(' '), path, id, roleText(endpoint)]);
  });
  const ofPmm = facades.flatMap((facade) => {
    const { id, paths, role } = facade;
    const methods = methodsOfFacade(facade)?.join(' ') ?? 'ANY';
    return paths.map((path) => line(template, `Functions/${id}`, [methods, path, id, role]));
  });
  const others = [
    ...ofPmm,
    line(template, 'Functions/catchAll', ['ANY', '(all other)', 'catchAll', 'Viewer']),
    line(template, 'Functions/authorizer', ['-', '(authorizer)', 'authorizer', '-']),
    line(template, 'FirstAccess/setUp', ['-', '(deployment)', 'setUp', '-']),
    line(template, 'GatewayLogs/gatewayLogRole', ['-', '(deployment)', 'gatewayLogRole', '-']),
    line(template, 'Site/Files/publishSite', ['-', '(deployment)', 'publishSite', '-']),
    line(template, 'Jobs/continueJobs', ['-', "(the table's stream)", 'continueJobs', '-']),
    line(template, 'Events/publishChanges', ['-', "(the table's stream)", 'publishChanges', '-']),
    line(template, 'StateEvents/stateEvents', ['-', '(the clock)', 'stateEvents', '-']),
    line(template, 'Cleanup/scheduledCleanup', ['-', '(the clock)', 'scheduledCleanup', '-']),
  ];
  return `${aligned([heading, ...rows, ...others])}\n`;
}
