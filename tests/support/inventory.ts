import { type ManualClock, manualClock, turnOfTheLoop } from './manual-clock.ts';
import { deepStrictEqual } from 'node:assert';
import { randomBytes, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { AdminAccountUse } from '../../functions/domain/access/admin-account.ts';
import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import type { IdentityProvider } from '../../functions/domain/fields/identity-providers.ts';
import { putAccount } from '../../functions/store/credentials/accounts.ts';
import { addApiKey } from '../../functions/store/credentials/add-api-key.ts';
import { ensurePageTokenSecret } from '../../functions/store/credentials/page-token-secret.ts';
import { cachedAuthorizer } from '../../local/gateway/authorizer-cache.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { loadFunctions } from '../../local/gateway/functions.ts';
import { createGateway, type Gateway } from '../../local/gateway/gateway.ts';
import { ensureTable } from '../../local/engine/table.ts';
import { apiKeyPrefix } from '../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { type Role, roles } from '../../shared/auth/roles.ts';
import type { Table } from '../../shared/db/table.ts';
import type { LogEntry } from '../../shared/core/log.ts';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import * as z from 'zod/mini';
import { endpoints } from '../../functions/api/endpoints.ts';
import { createRouter } from '../../shared/http/router.ts';
import { testProviders } from './identity-providers.ts';
import { parsedBody } from './parsed-body.ts';
import { type EngineServer, serveEngine } from './engine-http.ts';
import { testClock, testTime } from './test-time.ts';

export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** The parsed JSON body, of lines the list of them; undefined when there is none. */
  body: any;
  text: string;
}

export interface RequestOptions {
  /** A value for the body, sent as JSON; a string goes as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The role whose key is presented; default: Admin; `null` for no credentials. */
  as?: Role | null;
  /** The address that the gateway sees. */
  sourceIp?: string;
}

/** A whole inventory in this process: gateway, functions and an engine of its own, without TLS. */
export interface Inventory {
  dependencies: Dependencies;
  table: Table;
  /** Settable clock: `clock.now = testTime(...)`; that of `InventoryOptions` when undefined. */
  clock: { now: Date | undefined };
  /** The clock of deadlines and intervals: it stands still until the test moves it. */
  passing: ManualClock;
  keys: Record<Role, string>;
  logged: LogEntry[];
  request: (method: string, path: string, call?: RequestOptions) => Promise<Reply>;
  /** For requests whose bodies are no JSON. */
  gateway: Gateway;
  /** Serves the engine of the table over HTTP, for other processes, until the stop. @returns its URL. */
  serve: () => Promise<string>;
  stop: () => Promise<void>;
}

export const ADMIN_PASSWORD = 'correct horse battery staple';

/** Its hash at a cost that only tests can afford. */
const ADMIN_PASSWORD_HASH = 'scrypt$16$1$1$BwcHBwcHBwcHBwcHBwcHBw$jgQzVIf-J1g3U9FIu1cRG_m_GPnUxXbKl23TdQQoIlE';

/** The node of the Registrar of the tests. It does not exist. */
export const MISSING_NODE_ID = '00000000-0000-4000-8000-000000000000';

const route = createRouter(endpoints);

/** A reply contains nothing that its contract does not declare. */
function assertDeclared(
  method: string,
  path: string,
  { statusCode, headers }: { statusCode: number; headers: Record<string, string> },
  text: string,
): void {
  const match = route(method, new URL(path, 'http://localhost').pathname);
  const schema = match.kind === 'endpoint' ? match.endpoint.reply.schema : undefined;
  // A list with `fields` lacks fields that the contract requires otherwise.
  if (statusCode > 201 || schema === undefined || /[?&]fields=/.test(path)) return;
  const body: unknown = parsedBody(headers['Content-Type'], text);
  // Not `expect`: the benchmark uses this module outside of Jest.
  deepStrictEqual(z.parse(schema, body), body);
}

export interface InventoryOptions {
  /** Wraps the table that the functions use (to count, to disturb); the engine itself stays as it is. */
  table?: (table: Table) => Table;
  /** How long the gateway caches the replies of the authorizer; default: 0. */
  authorizerCacheSeconds?: number;
  /** The time of day. Default: `testClock`. */
  clock?: () => Date;
  /** The clock of deadlines and intervals; default: `passing` of the inventory. */
  monotonic?: MonotonicClock;
  /** Default: `testProviders`. */
  identityProviders?: readonly IdentityProvider[];
  /** Default: `enabled`. */
  adminAccount?: AdminAccountUse;
  /** The address for reports that `GET /v1/version` names; default: none. */
  reportUrl?: string;
}

export async function startInventory(options: InventoryOptions = {}): Promise<Inventory> {
  const engine = await startEngine({ environment: process.env });
  const passing = manualClock();
  const { monotonic = passing, clock: time = testClock() } = options;
  const now = (options.clock?.() ?? testTime()).toISOString();
  const table = { ...engine.open(`inventory-${randomUUID()}`), monotonic, backOff: turnOfTheLoop };
  await ensureTable(table);
  const clock: { now: Date | undefined } = { now: undefined };
  const logged: LogEntry[] = [];
  const dependencies: Dependencies = {
    table,
    clock: () => clock.now ?? time(),
    newId: randomUUID,
    randomBytes,
    log: (entry) => logged.push(entry),
    identityProviders: JSON.stringify(options.identityProviders ?? testProviders),
    adminAccount: options.adminAccount ?? 'enabled',
    reportUrl: options.reportUrl,
    build: { version: '1.2.3', commit: 'abc', time: '2026-01-01T00:00:00.000Z' },
  };
  const account = { name: 'admin', role: 'Admin' as const, created_at: now, updated_at: now };
  await Promise.all([
    putAccount(table, { ...account, password_hash: ADMIN_PASSWORD_HASH }),
    ensurePageTokenSecret(table, () => randomUUID()),
  ]);
  const keys = Object.fromEntries(
    await Promise.all(
      roles.map(async (role) => {
        const key = newApiKeySecret(randomBytes);
        const record = {
          key_id: randomUUID(),
          kind: 'api_key' as const,
          name: `test ${role}`,
          role,
          prefix: apiKeyPrefix(key),
          created_at: now,
          created_by: { kind: 'user', id: 'admin', name: 'admin' },
          ...(role === 'Registrar' ? { node_id: MISSING_NODE_ID } : {}),
        };
        await addApiKey(table, record, hashApiKeySecret(key), {
          actor: { kind: 'system', id: 'set up', name: 'set up' },
          requestId: 'set up',
          now: new Date(now),
        });
        return [role, key];
      }),
    ),
  ) as Record<Role, string>;
  const used = { ...(options.table?.(table) ?? table), monotonic, backOff: turnOfTheLoop };
  const disturbed = options.table === undefined ? dependencies : { ...dependencies, table: used };
  const functions = await loadFunctions(disturbed);
  const authorizer = cachedAuthorizer(functions.authorizer, options.authorizerCacheSeconds ?? 0, { monotonic });
  const gateway = createGateway({ ...functions, authorizer, monotonic });

  const request = async (
    method: string,
    path: string,
    { body, headers = {}, as = 'Admin', sourceIp = '127.0.0.1' }: RequestOptions = {},
  ) => {
    const all: Record<string, string> = {
      ...(as === null ? {} : { Authorization: `Bearer ${keys[as]}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const answer = await gateway({
      method,
      url: path,
      rawHeaders: Object.entries(all).flat(),
      body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
      sourceIp,
    });
    const text = typeof answer.body === 'string' ? answer.body : gunzipSync(answer.body).toString();
    assertDeclared(method, path, answer, text);
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: parsedBody(answer.headers['Content-Type'], text),
      text,
    };
  };
  let server: EngineServer | undefined;
  return {
    dependencies,
    table,
    clock,
    passing,
    keys,
    logged,
    request,
    gateway,
    serve: async () => {
      server ??= await serveEngine(engine);
      return server.endpoint;
    },
    stop: async () => {
      await server?.stop();
      await engine.stop();
    },
  };
}
