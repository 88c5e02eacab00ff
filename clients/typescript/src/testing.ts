import { platformClock } from './clock.ts';
import { errors } from './generated/errors.ts';
import { VERSION } from './generated/version.ts';

type Fields = Record<string, unknown>;
type ErrorName = keyof typeof errors;

/** The kinds of objects, with the fields of their ids and their names. */
const kinds = {
  nodes: { kind: 'node', name: 'node_name' },
  services: { kind: 'service', name: 'service_name' },
  agents: { kind: 'agent', name: undefined },
} as const;

type Collection = keyof typeof kinds;

export interface FakeServer {
  /** For `createClient({ fetch })`. */
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The requests so far: `POST /v1/nodes`. */
  requests: string[];
  /** The next request with this method and path fails: `failNext('POST /v1/nodes', 'unavailable')`; `lost`: no reply arrives. */
  failNext: (request: string, error: ErrorName | 'lost', message?: string) => void;
}

export interface FakeContent {
  nodes?: readonly Fields[];
  services?: readonly Fields[];
  agents?: readonly Fields[];
}

/** An error as the server sends it. */
class Refusal extends Error {
  readonly error: ErrorName;
  constructor(error: ErrorName, message: string) {
    super(message);
    this.error = error;
  }
}

function reply(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const text = body === undefined ? null : JSON.stringify(body);
  return new Response(text, { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

function refusal(error: ErrorName, message: string): Response {
  const { http, status, code } = errors[error];
  const id = crypto.randomUUID();
  const body = { code, status, error: message, message, details: [], request_id: id };
  return reply(http, body, { 'X-Request-Id': id, ...(http === 429 || http === 503 ? { 'Retry-After': '0' } : {}) });
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396. */
function merge(target: Fields, patch: Fields): Fields {
  const result = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    const old = result[name];
    if (value === null) Reflect.deleteProperty(result, name);
    else result[name] = isFields(value) ? merge(isFields(old) ? old : {}, value) : value;
  }
  return result;
}

const etag = (object: Fields) => `"${String(object['revision'])}"`;

class Objects {
  private readonly collection: Collection;
  private readonly all = new Map<string, Fields>();

  constructor(collection: Collection, content: readonly Fields[]) {
    this.collection = collection;
    for (const fields of content) this.add(fields);
  }

  private get idField(): string {
    return `${kinds[this.collection].kind}_id`;
  }

  private noun(): string {
    const { kind } = kinds[this.collection];
    return kind.slice(0, 1).toUpperCase() + kind.slice(1);
  }

  named(value: unknown): Fields | undefined {
    const { name } = kinds[this.collection];
    return name === undefined ? undefined : [...this.all.values()].find((object) => object[name] === value);
  }

  add(fields: Fields): Fields {
    const { name } = kinds[this.collection];
    if (name !== undefined && this.named(fields[name]) !== undefined)
      throw new Refusal('alreadyExists', `${this.noun()} with name "${String(fields[name])}" already exists.`);
    const given = fields[this.idField];
    const id = typeof given === 'string' ? given : crypto.randomUUID();
    const now = new Date(platformClock.now()).toISOString();
    const object = { [this.idField]: id, custom_labels: {}, revision: 1, created_at: now, updated_at: now, ...fields };
    this.all.set(id, object);
    return object;
  }

  get(id: string): Fields {
    const object = this.all.get(id);
    if (object === undefined) throw new Refusal('notFound', `${this.noun()} with ID "${id}" not found.`);
    return object;
  }

  list(query: URLSearchParams): Fields {
    const size = Number(query.get('page_size') ?? 100);
    const start = Number(query.get('page_token') ?? 0);
    const filters = [...query].filter(([name]) => name !== 'page_size' && name !== 'page_token');
    const matching = [...this.all.values()].filter((object) =>
      filters.every(([name, value]) => object[name] === value),
    );
    const next = start + size < matching.length ? { next_page_token: String(start + size) } : {};
    return { [this.collection]: matching.slice(start, start + size), ...next };
  }

  replace(object: Fields, fields: Fields): Fields {
    const next = {
      ...fields,
      revision: Number(object['revision']) + 1,
      updated_at: new Date(platformClock.now()).toISOString(),
    };
    this.all.set(String(object[this.idField]), next);
    return next;
  }

  remove(id: string): void {
    this.get(id);
    this.all.delete(id);
  }
}

function checkRevision(object: Fields, headers: Headers): void {
  const wanted = headers.get('If-Match');
  if (wanted !== null && wanted !== '*' && wanted !== etag(object))
    throw new Refusal('revisionMismatch', 'If-Match does not match the revision of the object.');
}

/**
 * A server in memory with nodes, services and agents: adds, gets, lists with filters of equal fields, changes, upserts by
 * name, removals, revisions and Idempotency-Keys, with the errors of the server. It has no selectors, references or
 * rules of fields: test those against a started server.
 */
export function fakeServer(content: FakeContent = {}): FakeServer {
  const objects = {
    nodes: new Objects('nodes', content.nodes ?? []),
    services: new Objects('services', content.services ?? []),
    agents: new Objects('agents', content.agents ?? []),
  };
  const requests: string[] = [];
  const failures: { request: string; error: ErrorName | 'lost'; message: string }[] = [];
  const added = new Map<string, Fields>();

  function add(all: Objects, body: Fields, headers: Headers): Response {
    const key = headers.get('Idempotency-Key');
    const object = (key === null ? undefined : added.get(key)) ?? all.add(body);
    if (key !== null) added.set(key, object);
    return reply(201, object, { ETag: etag(object) });
  }

  function upsert(all: Objects, body: Fields, headers: Headers, name: [field: string, value: string]): Response {
    const [field, value] = name;
    const object = all.named(value);
    if (object === undefined) return reply(201, { ...all.add({ ...body, [field]: value }), outcome: 'added' });
    if (headers.get('If-None-Match') === '*')
      throw new Refusal('revisionMismatch', 'If-None-Match does not match the revision of the object.');
    checkRevision(object, headers);
    const { revision: _, ...declared } = { ...object, ...body };
    const isSame = Object.entries(declared).every(
      ([key, item]) => JSON.stringify(item) === JSON.stringify(object[key]),
    );
    if (isSame) return reply(200, { ...object, outcome: 'unchanged' }, { ETag: etag(object) });
    const next = all.replace(object, declared);
    return reply(200, { ...next, outcome: 'changed' }, { ETag: etag(next) });
  }

  function answerObject(all: Objects, method: string, id: string, body: Fields, headers: Headers): Response {
    const object = all.get(id);
    if (method === 'GET')
      return headers.get('If-None-Match') === etag(object)
        ? new Response(null, { status: 304 })
        : reply(200, object, { ETag: etag(object) });
    checkRevision(object, headers);
    if (method === 'DELETE') {
      all.remove(id);
      return new Response(null, { status: 204 });
    }
    if (method !== 'PATCH') throw new Refusal('methodNotAllowed', 'Method not allowed.');
    const next = all.replace(object, merge(object, body));
    return reply(200, next, { ETag: etag(next) });
  }

  function answer(method: string, { pathname, searchParams }: URL, body: Fields, headers: Headers): Response {
    if (pathname === '/v1/version')
      return reply(200, { version: VERSION, build: { version: VERSION, commit: '', time: '' }, api: 'v1' });
    const [, , collection = '', second, third] = pathname.split('/').map(decodeURIComponent);
    if (collection !== 'nodes' && collection !== 'services' && collection !== 'agents')
      throw new Refusal('notFound', 'The fake server does not have this path.');
    const all = objects[collection];
    const { name } = kinds[collection];
    if (second === undefined) return method === 'POST' ? add(all, body, headers) : reply(200, all.list(searchParams));
    if (second === 'by-name' && third !== undefined && name !== undefined)
      return upsert(all, body, headers, [name, third]);
    return answerObject(all, method, second, body, headers);
  }

  async function respond(url: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> {
    await Promise.resolve();
    signal?.throwIfAborted();
    const address = new URL(url);
    const request = `${method} ${address.pathname}`;
    requests.push(request);
    const index = failures.findIndex((failure) => failure.request === request);
    const [failure] = index < 0 ? [] : failures.splice(index, 1);
    if (failure !== undefined && failure.error !== 'lost') return refusal(failure.error, failure.message);
    let response: Response;
    try {
      const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : {};
      response = answer(method, address, isFields(parsed) ? parsed : {}, new Headers(headers));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response = refusal(error.error, error.message);
    }
    if (failure !== undefined) throw new TypeError('fetch failed');
    return response;
  }

  return {
    fetch: respond,
    requests,
    failNext: (request, error, message = 'Failed on demand.') => failures.push({ request, error, message }),
  };
}
