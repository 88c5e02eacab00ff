import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from '../../shared/testing/fast-check.ts';
import { type Inventory, type Reply, type RequestOptions, startInventory } from '../support/inventory.ts';
import { TEST_TIME } from '../support/test-time.ts';
import { redact } from '../../shared/core/redact.ts';
import type { Table } from '../../shared/db/table.ts';
import { inFull, testSeed } from '../../shared/testing/extent.ts';
import { checkInvariants, inventoryItems, readList, scan, wipe } from './invariants.ts';
import {
  declarationOf,
  denied,
  type Fields,
  type Kind,
  kinds,
  Model,
  type ModelObject,
  nouns,
  type Refusal,
  type Registrar,
  type Scope,
  type Term,
} from './model.ts';
import { type Generation, idInReply, type PmmCall, pmmAdd, pmmChangeOfService, pmmRemove } from './pmm-writers.ts';
import { countFrom } from './random.ts';

/**
 * Seeds that everybody's run has in common: each of them once led to a failure. What a seed leads to changes with the
 * arbitraries below.
 */
const fixedSeeds = [1318607970, 102, 9003];

/** FC_SEED names other seeds, separated by commas. CI adds a new one. */
const given = (process.env['FC_SEED'] ?? '').split(',').filter(Boolean).map(Number);
const seeds = given.length > 0 ? given : [...new Set([...fixedSeeds, testSeed])];

/** Sequences for each seed. */
const runs = countFrom('MODEL_RUNS', inFull(30, 1));

/** How often a failing sequence is made shorter; 0 shows it as it is. */
const shrinks = countFrom('MODEL_SHRINKS', 300);

const paths = { node: '/v1/nodes', service: '/v1/services', agent: '/v1/agents' } as const;
const lists = { node: 'nodes', service: 'services', agent: 'agents' } as const;

// Few names, so that collisions are the norm; and such as would run into each other, were keys put together carelessly.
const names = ['db', 'DB', 'db#', 'db%23'];
const regions = ['eu', 'eu#1'];
const addresses = ['a', '1-a', 'b'];
const indexedValues = ['x', 'x#y'];

// Arbitraries --------------------------------------------------------------------------------------------------------

/** Which object a request is about: the index counts among those that are there when it is made. */
interface Reference {
  from: 'node' | 'service' | 'agent' | 'pmm_agent' | 'gone' | 'never';
  index: number;
  /** Counts only those that the caller may see, as a host does that knows what is its own. */
  isOwn?: boolean;
}

const NEVER = '00000000-0000-4000-8000-000000000000';

const referenceTo = (from: Reference['from'], ...odd: Reference['from'][]) =>
  fc.record({
    from: fc.oneof(
      { weight: 12, arbitrary: fc.constant(from) },
      { weight: 1, arbitrary: fc.constantFrom('gone' as const, 'never' as const, ...odd) },
    ),
    index: fc.nat(20),
  });

const references = {
  node: referenceTo('node', 'service', 'pmm_agent'),
  service: referenceTo('service', 'node'),
  process: referenceTo('pmm_agent', 'agent', 'node'),
  agent: referenceTo('agent', 'service'),
};

/** The name of the caller's own node. */
const OWN_NAME = { ownName: true };

const ownReference = (from: Reference['from']) =>
  fc.record({ from: fc.constant(from), index: fc.nat(20), isOwn: fc.constant(true) });

function resolve(model: Model, { from, index, isOwn = false }: Reference, scope?: Scope): string {
  const seen = ({ kind, object }: ModelObject) => !isOwn || model.isShownTo(scope, kind, object);
  const ids =
    from === 'never'
      ? []
      : from === 'gone'
        ? model.gone
        : (from === 'pmm_agent' ? model.processes() : model.all(from)).filter(seen).map(({ id }) => id);
  return ids[index % ids.length] ?? NEVER;
}

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && 'from' in value && 'index' in value;

/** The same value with every reference in it replaced by an id, and without what is undefined. */
function resolved(model: Model, value: unknown, scope?: Scope): any {
  if (isReference(value)) return resolve(model, value, scope);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolved(model, item, scope));
  if ('ownName' in value) return model.registrars().find(({ nodeId }) => nodeId === scope)?.nodeName ?? names[0];
  // Two references may turn out to be the same object.
  if ('distinct' in value) return [...new Set(resolved(model, value.distinct, scope))];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === undefined ? [] : [[name, resolved(model, inner, scope)]],
    ),
  );
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });
/** This rather than null. */
const rather = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 10 });
/** Now and then; a request with everything wrong at once teaches little. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const name = fc.constantFrom(...names);
const region = fc.constantFrom(...regions);
const address = fc.constantFrom(...addresses);
const indexedValue = fc.constantFrom(...indexedValues);
// One that an attribute of nodes stands before, and values that would run into each other or are hashed.
const labelName = fc.constantFrom('a', 'b', 'region');
const labelValue = fc.constantFrom('', 'x', 'x#y', 'x"y\\', 'l'.repeat(300));
const labels = fc.dictionary(labelName, labelValue, { maxKeys: 3 });
/** More labels than have their own index entry. */
const manyLabels = labels.map((few) => ({
  ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`Z${index}`, 'x'])),
  ...few,
}));
const someLabels = fc.oneof({ weight: 12, arbitrary: labels }, { weight: 1, arbitrary: manyLabels });
const labelChanges = orNull(fc.dictionary(labelName, orNull(labelValue), { maxKeys: 3 }));
const distinctIds = (reference: fc.Arbitrary<Reference>) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.array(reference, { maxLength: 3 }).map((distinct) => ({ distinct })) },
    { weight: 1, arbitrary: reference.map((twice) => [twice, twice]) },
  );
const nodeIds = distinctIds(references.node);
const serviceIds = distinctIds(references.service);
const port = fc.constantFrom(1, 3306, 65535);

const nodeBody = fc.oneof(
  fc.record({
    node_type: fc.constant('generic'),
    node_name: name,
    address,
    region: maybe(region),
    lifetime: maybe(fc.constantFrom('permanent', 'ephemeral')),
    stale_after: maybe(fc.constantFrom('1m', '90s')),
    custom_labels: maybe(someLabels),
  }),
  fc.record({
    node_type: fc.constant('container'),
    node_name: name,
    address,
    region: maybe(region),
    container_id: maybe(fc.constantFrom('c1', 'c#2')),
    distro: rarely(fc.constant('a container has none')),
  }),
  fc.record({
    node_type: fc.constant('remote_rds'),
    node_name: name,
    address,
    region: fc.oneof({ weight: 9, arbitrary: region }, { weight: 1, arbitrary: fc.constant(undefined) }),
  }),
);

const serviceBody = fc.oneof(
  fc.record({
    service_type: fc.constantFrom('mysql', 'postgresql'),
    service_name: name,
    address: fc.constant('a'),
    port: fc.oneof({ weight: 12, arbitrary: port }, { weight: 1, arbitrary: fc.constant(undefined) }),
    socket: rarely(fc.constant('/tmp/s')),
    node_ids: maybe(nodeIds),
    cluster: maybe(indexedValue),
    environment: maybe(indexedValue),
    custom_labels: maybe(someLabels),
  }),
  fc.record({
    service_type: fc.constant('external'),
    service_name: name,
    node_ids: maybe(nodeIds),
    group: maybe(indexedValue),
    cluster: maybe(indexedValue),
    port: rarely(port),
  }),
);

const processBody = fc.record({
  agent_type: fc.constant('pmm_agent'),
  runs_on_node_id: references.node,
  insights: rarely(fc.record({ node_ids: fc.array(references.node, { minLength: 1, maxLength: 1 }) })),
  disabled: maybe(fc.boolean()),
});

const agentBody = fc.oneof(
  fc.record({
    agent_type: fc.constant('node_exporter'),
    pmm_agent_id: references.process,
    insights: maybe(fc.record({ node_ids: nodeIds })),
    disabled: maybe(fc.boolean()),
    custom_labels: maybe(someLabels),
  }),
  fc.record({
    agent_type: fc.constant('mysqld_exporter'),
    pmm_agent_id: references.process,
    insights: fc.record({ service_ids: serviceIds, node_ids: rarely(nodeIds) }),
    username: maybe(fc.constant('u')),
    runs_on_node_id: rarely(references.node),
  }),
  fc.record({
    agent_type: fc.constant('external_exporter'),
    listen_port: fc.oneof({ weight: 15, arbitrary: port }, { weight: 1, arbitrary: fc.constant(undefined) }),
    runs_on_node_id: maybe(references.node),
    insights: maybe(fc.record({ node_ids: maybe(nodeIds), service_ids: maybe(serviceIds) })),
    custom_labels: maybe(someLabels),
  }),
);

const nodeChange = fc.record({
  address: maybe(address),
  region: maybe(orNull(region)),
  custom_labels: maybe(labelChanges),
  container_id: rarely(fc.constantFrom('c1', 'c#2')),
  node_name: rarely(name),
});

const serviceChange = fc.record({
  node_ids: maybe(rather(nodeIds)),
  custom_labels: maybe(labelChanges),
  cluster: maybe(orNull(indexedValue)),
  environment: maybe(orNull(indexedValue)),
  group: rarely(orNull(indexedValue)),
  port: rarely(orNull(port)),
  revision: rarely(fc.constant(7)),
});

const agentChange = fc.record({
  insights: maybe(orNull(fc.record({ node_ids: maybe(rather(nodeIds)), service_ids: maybe(rather(serviceIds)) }))),
  disabled: maybe(rather(fc.boolean())),
  custom_labels: maybe(labelChanges),
  listen_port: rarely(port),
  pmm_agent_id: rarely(references.process),
});

const ifMatch = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: fc.constantFrom('present' as const, '*' as const) },
  { weight: 1, arbitrary: fc.constant('past' as const) },
);

/** Terms of a selector, as the model reads them; `selectorText` is what is sent. */
function selectorOf(...attributes: [label: string, ...values: string[]][]): fc.Arbitrary<Term[] | undefined> {
  const knownTerms = attributes.map(([label, ...values]) => ({ label, values }));
  const term = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(labelName, fc.array(labelValue, { minLength: 1, maxLength: 3 })) },
    ...knownTerms.map(({ label, values }) => ({
      weight: 1,
      arbitrary: fc.tuple(fc.constant(label), fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 2 })),
    })),
  );
  const operator = fc.constantFrom(
    'in' as const,
    'in' as const,
    'notin' as const,
    'exists' as const,
    'absent' as const,
  );
  const terms = fc
    .tuple(term, operator)
    .map(([[label, values], how]): Term => ({ label, how, values: how === 'in' || how === 'notin' ? values : [] }));
  return maybe(fc.array(terms, { minLength: 1, maxLength: 3 }));
}

function selectorText(terms: readonly Term[]): string {
  const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;
  return terms
    .map(({ label, how, values }) => {
      if (how === 'exists') return label;
      if (how === 'absent') return `!${label}`;
      const [first = '', ...rest] = values.map(quoted);
      if (rest.length === 0) return `${label} ${how === 'in' ? '=' : '!='} ${first}`;
      return `${label} ${how} (${[first, ...rest].join(', ')})`;
    })
    .join(' , ');
}

const state = rarely(fc.constantFrom('live', 'stale', 'never_seen'));

const nodeFilters = fc.record({
  state,
  selector: selectorOf(
    ['region', ...regions],
    ['node_name', ...names],
    ['node_type', 'generic', 'remote_rds', 'none'],
    ['container_id', 'c1', 'c#2'],
    ['az', 'x'],
  ),
  node_type: rarely(fc.constantFrom('generic', 'container', 'remote_rds')),
  name_prefix: maybe(fc.constantFrom('d', 'db#', 'D')),
  region: maybe(region),
});

const serviceFilters = fc.record({
  state,
  selector: selectorOf(
    ['cluster', ...indexedValues],
    ['environment', ...indexedValues],
    ['service_name', ...names],
    ['service_type', 'mysql', 'external'],
  ),
  service_type: maybe(fc.constantFrom('mysql', 'postgresql', 'external')),
  name_prefix: rarely(fc.constantFrom('d', 'db#', 'D')),
  node_id: maybe(references.node),
  cluster: maybe(indexedValue),
  environment: rarely(indexedValue),
  group: rarely(fc.constantFrom(...indexedValues, 'external')),
});

const agentFilters = fc
  .record({
    state,
    selector: selectorOf(['agent_type', 'pmm_agent', 'external_exporter']),
    agent_type: maybe(fc.constantFrom('pmm_agent', 'node_exporter', 'mysqld_exporter', 'external_exporter')),
  })
  .chain((type) =>
    fc
      .oneof(
        fc.constant({}),
        fc.record({ runs_on_node_id: references.node }),
        fc.record({ pmm_agent_id: fc.oneof(references.process, references.agent) }),
        fc.record({ node_id: references.node }),
        fc.record({ service_id: references.service }),
      )
      .map((relation) => ({ ...type, ...relation })),
  );

// Commands -------------------------------------------------------------------------------------------------------------

type Request = (method: string, path: string, call?: Pick<RequestOptions, 'body' | 'headers'>) => Promise<Reply>;

/** What a sequence works with; `said` is what was asked and answered so far. */
interface Real {
  /** As an Editor. */
  request: Request;
  asAdmin: Request;
  said: string[];
  /** Names this sequence: Idempotency-Keys are kept for a day, and there may be others before it. */
  nonce: string;
}

/** Requests with a key. Reply header names are in lower case, as clients see them. */
const clientOf =
  (inventory: Inventory, key: string): Request =>
  async (method, path, { body, headers } = {}) => {
    const call = { as: null, body, headers: { Authorization: `Bearer ${key}`, ...headers } };
    const reply = await inventory.request(method, path, call);
    const lower = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value]);
    return { ...reply, headers: Object.fromEntries(lower) };
  };

function recording(client: Request, adminKey: string): Real {
  const said: string[] = [];
  const request: Request = async (method, path, call) => {
    const answer = await client(method, path, call);
    const sent = call === undefined ? '' : ` ${JSON.stringify(call)}`;
    said.push(redact(`${method} ${path}${sent}\n    -> ${answer.status} ${answer.text}`));
    return answer;
  };
  return { said, request, asAdmin: withKey(request, adminKey), nonce: randomUUID() };
}

function withKey(request: Request, key: string): Request {
  return (method, path, call = {}) =>
    request(method, path, { ...call, headers: { ...call.headers, Authorization: `Bearer ${key}` } });
}

/** Who makes a request: the Registrar at this place among those that there are, else the Editor. */
type Who = number | undefined;

interface CallerOf {
  by: Registrar | undefined;
  scope: Scope;
  ask: Request;
}

function callerOf(model: Model, request: Request, who: Who): CallerOf {
  const registrars = model.registrars();
  const by = who === undefined ? undefined : registrars[who % registrars.length];
  return by === undefined
    ? { by, scope: undefined, ask: request }
    : { by, scope: by.nodeId, ask: withKey(request, by.key) };
}

type Act = (model: Model, request: Request, real: Real) => Promise<void>;

class Step implements fc.AsyncCommand<Model, Real> {
  readonly #label: string;
  readonly #act: Act;

  constructor(label: string, act: Act) {
    this.#label = label;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, real: Real): Promise<void> {
    return this.#act(model, real.request, real);
  }

  toString(): string {
    return this.#label;
  }
}

function expectStatus({ status, text }: Reply, expected: number): void {
  if (status !== expected) throw new Error(`expected ${expected} and not ${status} ${text}`);
}

function fits(refusal: Refusal, { status, body }: Reply): boolean {
  const { message, mentions = [], field } = refusal;
  return (
    status === refusal.status &&
    body.status === refusal.code &&
    (message === undefined || body.message === message) &&
    mentions.every((word) => body.message.includes(word)) &&
    (field === undefined || body.details.some((violation: Fields) => violation['field'] === field))
  );
}

const rpcCodes: Fields = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  FAILED_PRECONDITION: 9,
};

function expectRefusal(answer: Reply, refusals: readonly Refusal[]): void {
  if (!refusals.some((refusal) => fits(refusal, answer)))
    expect({ status: answer.status, body: answer.body }).toEqual({ oneOf: refusals });
  expect(answer.body).toEqual({
    code: rpcCodes[answer.body.status],
    status: answer.body.status,
    error: answer.body.message,
    message: expect.any(String),
    details: expect.any(Array),
    request_id: expect.any(String),
  });
}

/** Compares an object as shown with what must be shown of it, and takes over the time of a change that was not seen. */
function expectFields(shown: Fields, modelled: ModelObject, wanted: Fields): void {
  const { updated_at: updated, ...rest } = shown;
  const { updated_at: before, ...expected } = wanted;
  expect(rest).toEqual(expected);
  if (modelled.changedUnseen) expect(updated >= before).toBe(true);
  else expect(updated).toBe(before);
  modelled.object['updated_at'] = updated;
  modelled.changedUnseen = false;
}

/** An object with its state. */
function expectShown(model: Model, shown: Fields, modelled: ModelObject): void {
  expectFields(shown, modelled, { ...modelled.object, ...model.shown(modelled.kind, modelled.object) });
}

/** How a list is asked for states: not at all, for all that follows from reports, or for the state alone. */
const listForms = [{}, { include: 'state' }, { fields: 'state' }] as const;

type ListForm = (typeof listForms)[number];

/** An object as a list shows it that was asked in this form, with or without a filter by state. */
function expectListed(model: Model, shown: Fields, modelled: ModelObject, form: ListForm, isByState: boolean): void {
  const { kind, id, object } = modelled;
  if ('fields' in form) expect(shown).toEqual({ [`${kind}_id`]: id, state: model.shown(kind, object)['state'] });
  else if ('include' in form || isByState) expectShown(model, shown, modelled);
  else expectFields(shown, modelled, model.listed(kind, object));
}

/** An object that was just added, as it is answered. */
function expectAdded(kind: Kind, object: Fields, shown: Fields): void {
  const { created_at: created, updated_at: updated, ...rest } = shown;
  expect(rest).toEqual({ ...object, [`${kind}_id`]: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(updated).toBe(created);
  expect(Math.abs(Date.parse(created) - TEST_TIME)).toBeLessThan(3_600_000);
}

/** @param name makes the add one that can be repeated: the name of its Idempotency-Key. */
function add(kind: Kind, body: Fields, who?: Who, name?: string): Step {
  return new Step(
    `add ${kind} ${fc.stringify(body)} ${fc.stringify([who, name])}`,
    async (model, request, { nonce }) => {
      const { by, scope, ask } = callerOf(model, request, who);
      const sent = resolved(model, body, scope);
      const idempotencyKey = name === undefined ? undefined : `${nonce} ${name}`.replace(' ', '/');
      const before = idempotencyKey === undefined ? undefined : model.doneUnder(idempotencyKey, by);
      const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
      const plan = model.planAdd(kind, sent, scope);
      const answer = await ask('POST', paths[kind], { body: sent, headers });
      if (before !== undefined && (before.kind !== kind || !isDeepStrictEqual(before.sent, sent))) {
        expectRefusal(answer, model.refusalsOfReuse(kind, sent, scope));
        return;
      }
      if (before === undefined && plan.refusals.length > 0) {
        expectRefusal(answer, plan.refusals);
        return;
      }
      expectStatus(answer, 201);
      const id: string = answer.body[`${kind}_id`];
      expect(answer.headers).toMatchObject({ etag: '"1"', location: `${paths[kind]}/${id}` });
      if (before !== undefined) {
        expect(answer.body).toEqual(before.answered);
        return;
      }
      expectAdded(kind, plan.object, answer.body);
      expect(model.find(kind, id)).toBeUndefined();
      model.add(kind, answer.body);
      if (idempotencyKey !== undefined)
        model.done.push({ kind, by, idempotencyKey, sent, answered: structuredClone(answer.body) });
    },
  );
}

/** The same request again, with its fields in another order, whatever has become of the object since. */
function repeat(index: number): Step {
  return new Step(`repeat the add ${index}`, async (model, request) => {
    const before = model.done[index % model.done.length];
    if (before === undefined) return;
    const { kind, by, idempotencyKey, sent, answered } = before;
    const ask = by === undefined ? request : withKey(request, by.key);
    const answer = await ask('POST', paths[kind], {
      body: Object.fromEntries(Object.entries(sent).reverse()),
      headers: { 'Idempotency-Key': idempotencyKey },
    });
    // A key ends when its node is enrolled again.
    if (by !== undefined && !model.registrars().includes(by)) {
      expectStatus(answer, 401);
      return;
    }
    expectStatus(answer, 201);
    expect(answer.body).toEqual(answered);
  });
}

/** A node enrols itself, or again; its key of before ends. */
function enrol(body: Fields, renews: boolean): Step {
  return new Step(`enrol ${fc.stringify(body)} ${renews}`, async (model, request, { asAdmin }) => {
    const node = resolved(model, body);
    const nodeName: string = node.node_name;
    const forNode = renews ? { node_name: nodeName } : {};
    const token = await asAdmin('POST', '/v1/enrolment-tokens', {
      body: { name: 'model', allowed_addresses: ['*', '0.0.0.0/0'], ...forNode },
    });
    expectStatus(token, 201);
    const { modelled, object, refusals } = model.planEnrolment(node, renews);
    const answer = await request('POST', '/v1/enrolment', {
      body: { token: token.body.token, node },
      headers: { Authorization: '' },
    });
    if (refusals.length > 0) {
      const within = refusals.map((refusal) =>
        refusal.field === undefined ? refusal : { ...refusal, field: `node.${refusal.field}` },
      );
      expectRefusal(answer, within);
      // A refusal leaves the token good.
      expectStatus(await asAdmin('DELETE', `/v1/enrolment-tokens/${token.body.token_id}`), 204);
      return;
    }
    expectStatus(answer, 201);
    const { node: shown, api_key: apiKey } = answer.body;
    expect(apiKey).toMatchObject({ role: 'Registrar', name: `registrar/${nodeName}`, node_id: shown.node_id });
    if (modelled === undefined) {
      expectAdded('node', object, shown);
      model.add('node', shown);
    } else expectShown(model, { ...shown, ...model.shown('node', modelled.object) }, modelled);
    const ended = model.enrol({ nodeId: shown.node_id, nodeName, key: apiKey.key });
    if (ended !== undefined) expectStatus(await withKey(request, ended)('GET', '/v1/caller'), 401);
    expectStatus(await asAdmin('DELETE', `/v1/enrolment-tokens/${token.body.token_id}`), 404);
  });
}

/** What a Registrar may not ask at all. */
function askTooMuch(who: number, method: string, path: string, body?: Fields): Step {
  return new Step(`${method} ${path} as a Registrar`, async (model, request) => {
    const { by, ask } = callerOf(model, request, who);
    if (by === undefined) return;
    expectRefusal(await ask(method, path, body === undefined ? {} : { body }), [denied]);
  });
}

type Match = 'present' | 'past' | '*' | undefined;

function change(kind: Kind, reference: Reference, body: Fields, match: Match, who?: Who): Step {
  return new Step(`change ${kind} ${fc.stringify(body)} ${String(who)}`, async (model, request) => {
    const { scope, ask } = callerOf(model, request, who);
    const id = resolve(model, reference, scope);
    const sent = resolved(model, body, scope);
    const old = model.find(kind, id);
    const header = matchHeader(old, match);
    const { object, refusals } = model.planChange(kind, id, sent, header, scope);
    const answer = await ask('PATCH', `${paths[kind]}/${id}`, {
      body: sent,
      headers: header === undefined ? {} : { 'If-Match': header },
    });
    if (refusals.length > 0) {
      expectRefusal(answer, refusals);
      return;
    }
    expectStatus(answer, 200);
    const { updated_at: updated, ...rest } = answer.body;
    const { updated_at: before, ...wanted } = object;
    expect(rest).toEqual({ ...wanted, ...model.reported(kind, object) });
    if (object['revision'] === old!.object['revision'] && !old!.changedUnseen) expect(updated).toBe(before);
    else expect(updated >= before).toBe(true);
    expect(answer.headers).toMatchObject({ etag: `"${object['revision']}"` });
    model.change(kind, id, { ...object, updated_at: updated });
  });
}

interface Declaration {
  body: Fields;
  /** The body repeats the name that is in the path. */
  isNamed: boolean;
  match: Match;
  onlyAdd: boolean;
  who: Who;
}

function upsert(kind: Kind, declaration: Declaration): Step {
  const { body, who } = declaration;
  return new Step(`declare ${kind} ${fc.stringify(body)} ${String(who)}`, async (model, request) => {
    const caller = callerOf(model, request, who);
    await declare(kind, { ...declaration, model, caller, sent: resolved(model, body, caller.scope) });
  });
}

/** Declares an object as it is; an agent also without its targets, which then are those of its type. */
function redeclare(kind: Kind, reference: Reference, isTold: boolean): Step {
  return new Step(`declare ${kind} again ${String(isTold)}`, async (model, request) => {
    const modelled = model.find(kind, resolve(model, reference));
    if (modelled === undefined) return;
    const { insights, ...sent } = structuredClone(declarationOf(kind, modelled.object));
    if (isTold && insights !== undefined) sent['insights'] = insights;
    const caller = { by: undefined, scope: undefined, ask: request };
    await declare(kind, { isNamed: true, match: undefined, onlyAdd: false, model, caller, sent });
  });
}

interface Declaring extends Omit<Declaration, 'body' | 'who'> {
  model: Model;
  caller: CallerOf;
  /** The body, with ids for references. */
  sent: Fields;
}

async function declare(kind: Kind, { isNamed, match, onlyAdd, model, caller, sent }: Declaring): Promise<void> {
  const { scope, ask } = caller;
  const name: string = sent[`${kind}_name`];
  const seen = model.planUpsert(kind, sent, { ifMatch: undefined, ifNoneMatch: undefined }).modelled;
  const conditions = { ifMatch: matchHeader(seen, match), ifNoneMatch: onlyAdd ? '*' : undefined };
  const { object, refusals, modelled, outcome } = model.planUpsert(kind, sent, conditions, scope);
  const path = kind === 'agent' ? '/v1/agents/by-key' : `${paths[kind]}/by-name/${encodeURIComponent(name)}`;
  const headers = {
    ...(conditions.ifMatch === undefined ? {} : { 'If-Match': conditions.ifMatch }),
    ...(conditions.ifNoneMatch === undefined ? {} : { 'If-None-Match': conditions.ifNoneMatch }),
  };
  const { [`${kind}_name`]: _, ...rest } = sent;
  const answer = await ask('PUT', path, { body: isNamed ? sent : rest, headers });
  if (refusals.length > 0) {
    expectRefusal(answer, refusals);
    return;
  }
  expectStatus(answer, modelled === undefined ? 201 : 200);
  const { outcome: told, ...shown } = answer.body;
  expect(told).toBe(outcome);
  const { created_at: created, updated_at: updated, [`${kind}_id`]: id, ...fields } = shown;
  const { created_at: __, updated_at: before, [`${kind}_id`]: oldId, ...wanted } = object;
  expect(fields).toEqual({ ...wanted, ...(modelled === undefined ? {} : model.reported(kind, object)) });
  if (modelled === undefined) {
    expect(updated).toBe(created);
    expect(answer.headers).toMatchObject({ location: `${paths[kind]}/${id}` });
    expect(model.find(kind, id)).toBeUndefined();
  } else {
    expect(id).toBe(oldId);
    expect(created).toBe(modelled.object['created_at']);
    if (outcome === 'unchanged' && !modelled.changedUnseen) expect(updated).toBe(before);
    else expect(updated >= before).toBe(true);
  }
  expect(answer.headers).toMatchObject({ etag: `"${object['revision']}"` });
  // The process says since when: it is no field of the agent.
  const { status_since: ___, ...stored } = shown;
  model.upsert(kind, { ...stored, ...(kind === 'agent' ? storedState(object) : {}) });
}

/** What an agent was added with, or what a change made of it, in place of what its process says. */
const storedState = ({ status, connected }: Fields): Fields => ({
  ...(status === undefined ? {} : { status }),
  ...(connected === undefined ? {} : { connected }),
});

/** The answer to the report of one host among many, of which another one is malformed. */
async function reportInBatch(ask: Request, pmm_agent_id: string, agents: readonly Fields[]) {
  const { status, body } = await ask('POST', '/v1/reports', { body: { reports: [7, { pmm_agent_id, agents }] } });
  expect([status, body.results?.[0].status]).toEqual([200, 400]);
  const [, second] = body.results;
  return { ...second, body: second.report ?? second.error };
}

/** A process says something of agents, its own and others; itself, or through a relay. */
function report(
  reference: Reference,
  agents: readonly { agent: Reference; status: string }[],
  isRelayed: boolean,
  who?: Who,
): Step {
  return new Step(`report ${fc.stringify(agents)} ${isRelayed} ${String(who)}`, async (model, request) => {
    const { scope, ask } = callerOf(model, request, who);
    const id = resolve(model, reference, scope);
    const byId = new Map(agents.map(({ agent, status }) => [resolve(model, agent), status]));
    const entries = [...byId].map(([agent_id, status]) => ({ agent_id, status }));
    const updatedAt = new Map<string, string>();
    for (const agentId of model.doubtful(id, entries))
      updatedAt.set(agentId, (await request('GET', `/v1/agents/${agentId}`)).body.updated_at);
    const process = model.find('agent', id);
    // A relay does not notice the removal of an agent before something is new.
    const areAllUnder = entries.every(({ agent_id }) => model.find('agent', agent_id)?.object['pmm_agent_id'] === id);
    const answer =
      isRelayed && scope === undefined && areAllUnder
        ? await reportInBatch(ask, id, entries)
        : await ask('POST', `/v1/agents/${id}/report`, { body: { agents: entries } });
    if (process !== undefined && !model.isShownTo(scope, 'agent', process.object)) {
      expectRefusal(answer, [denied]);
      return;
    }
    if (process?.object['agent_type'] !== 'pmm_agent') {
      expect([answer.status, process === undefined]).toEqual([
        process === undefined ? 404 : 400,
        process === undefined,
      ]);
      return;
    }
    expectStatus(answer, 200);
    const { taken, refused } = model.report(id, entries, { reportedAt: answer.body.reported_at, updatedAt });
    expect(answer.body.taken).toBe(taken);
    expect(answer.body.refused.map((refusedEntry: Fields) => refusedEntry['agent_id']).sort()).toEqual(refused.sort());
  });
}

function matchHeader(modelled: ModelObject | undefined, match: Match): string | undefined {
  if (match === undefined || match === '*') return match;
  const revision: number = modelled?.object['revision'] ?? 1;
  return `"${match === 'present' ? revision : revision - 1}"`;
}

/** Brings back one of the removals, or what was never removed. */
function restore(draw: number): Step {
  return new Step(`restore ${draw}`, async (model, request) => {
    const { removals } = model;
    const listed = new Map<string, string[]>();
    for (const { removal_id: id, objects } of (await request('GET', '/v1/removed?page_size=1000')).body.removals)
      listed.set(id, [...(listed.get(id) ?? []), ...objects.map((object: Fields) => object['id'])].sort());
    const idsOf = (modelled: readonly ModelObject[]) => modelled.map(({ id }) => id).sort();
    expect([...listed.values()].map(String).sort()).toEqual(removals.map((removal) => String(idsOf(removal))).sort());
    const index = draw % removals.length;
    const wanted = removals[index];
    const [removalId] =
      [...listed].find(([, ids]) => wanted !== undefined && String(ids) === String(idsOf(wanted))) ?? [];
    const answer = await request('POST', `/v1/removed/${removalId ?? '0mm8wq1s0k3v9xa'}/restore`);
    if (wanted === undefined) {
      expectStatus(answer, 404);
      return;
    }
    const { back, refused } = model.restore(wanted);
    const outcome = { restored: answer.body.restored, kept: answer.body.not_restored };
    const named = (objects: Fields[]) => objects.map((object) => object['id']).sort();
    if (answer.status !== 200) {
      model.forget(back);
      expectRefusal(
        answer,
        refused.flatMap(({ refusals }) => refusals),
      );
      return;
    }
    expect(named(outcome.restored)).toEqual(idsOf(back));
    expect(named(outcome.kept)).toEqual(idsOf(refused.map(({ modelled }) => modelled)));
    // Only what is more than one transaction holds comes back in part.
    if (refused.length > 0) expect(wanted.length).toBeGreaterThan(3);
    if (refused.length > 0) removals[index] = refused.map(({ modelled }) => modelled);
    else removals.splice(index, 1);
  });
}

function remove(kind: Kind, reference: Reference, force: boolean, match: Match, who?: Who): Step {
  return new Step(`remove ${kind} ${String(force)} ${String(who)}`, async (model, request) => {
    const { scope, ask } = callerOf(model, request, who);
    const id = resolve(model, reference, scope);
    const header = matchHeader(model.find(kind, id), match);
    const refusals = model.refusalsOfRemoval(kind, id, { force, ifMatch: header }, scope);
    const answer = await ask('DELETE', `${paths[kind]}/${id}${force ? '?force=true' : ''}`, {
      headers: header === undefined ? {} : { 'If-Match': header },
    });
    const bySize = force && answer.status !== 204 ? model.refusalsBySize(kind, id, scope) : [];
    if (refusals.length + bySize.length > 0) {
      expectRefusal(answer, [...refusals, ...bySize]);
      return;
    }
    expectStatus(answer, 204);
    expect(answer.text).toBe('');
    model.remove(kind, id);
  });
}

// Writes of PMM's clients ----------------------------------------------------------------------------------------------

const sendPmm = (request: Request, { method, path, body }: PmmCall) =>
  request(method, path, method === 'DELETE' ? {} : { body });

/** The error of PMM has the same status and code; its texts are those of PMM. */
function expectPmmRefusal({ status, body }: Reply, refusals: readonly Refusal[]): void {
  const isOne = refusals.some((refusal) => refusal.status === status && rpcCodes[refusal.code] === body.code);
  if (!isOne) expect({ status, body }).toEqual({ oneOf: refusals });
}

/** The object as our API shows it after a write of a client of PMM. */
async function readBack(request: Request, kind: Kind, id: string): Promise<Fields> {
  const answer = await request('GET', `${paths[kind]}/${id}`);
  expectStatus(answer, 200);
  return answer.body;
}

function addByPmm(generation: Generation, kind: Kind, body: Fields): Step {
  return new Step(`add ${kind} by PMM ${generation} ${fc.stringify(body)}`, async (model, request) => {
    const sent = resolved(model, body);
    const { object, refusals } = model.planAdd(kind, sent);
    const answer = await sendPmm(request, pmmAdd(generation, kind, sent));
    if (refusals.length > 0) {
      expectPmmRefusal(answer, refusals);
      return;
    }
    expectStatus(answer, 200);
    const id = idInReply(kind, answer.body);
    const { state, reported_at: _, ...shown } = await readBack(request, kind, id);
    expectAdded(kind, object, shown);
    expect(model.find(kind, id)).toBeUndefined();
    model.add(kind, shown);
    expect(state).toBe(model.shown(kind, shown)['state']);
  });
}

function changeByPmm(generation: Generation, reference: Reference, change: Fields): Step {
  return new Step(`change service by PMM ${generation} ${fc.stringify(change)}`, async (model, request) => {
    const id = resolve(model, reference);
    const { object, refusals } = model.planChange('service', id, change, undefined);
    const answer = await sendPmm(request, pmmChangeOfService(generation, id, change));
    if (refusals.length > 0) {
      expectPmmRefusal(answer, refusals);
      return;
    }
    expectStatus(answer, 200);
    model.change('service', id, object);
    const modelled = model.find('service', id)!;
    modelled.changedUnseen = true;
    expectShown(model, await readBack(request, 'service', id), modelled);
  });
}

/** PMM's forced removal of a service also removes its node in a cloud. Ours does not, and the model knows ours. */
function isInCloud(model: Model, kind: Kind, id: string): boolean {
  const nodes: string[] = kind === 'service' ? (model.find(kind, id)?.object['node_ids'] ?? []) : [];
  return nodes.some((nodeId) => model.find('node', nodeId)?.object['node_type'] === 'remote_rds');
}

function removeByPmm(generation: Generation, kind: Kind, reference: Reference, isForced: boolean): Step {
  return new Step(`remove ${kind} by PMM ${generation} ${String(isForced)}`, async (model, request) => {
    const id = resolve(model, reference);
    const force = isForced && !isInCloud(model, kind, id);
    const refusals = model.refusalsOfRemoval(kind, id, { force, ifMatch: undefined });
    const answer = await sendPmm(request, pmmRemove(generation, kind, id, force));
    const bySize = force && answer.status !== 200 ? model.refusalsBySize(kind, id, undefined) : [];
    if (refusals.length + bySize.length > 0) {
      expectPmmRefusal(answer, [...refusals, ...bySize]);
      return;
    }
    expectStatus(answer, 200);
    model.remove(kind, id);
  });
}

function get(kind: Kind, reference: Reference, isKnown: boolean, who?: Who): Step {
  return new Step(`get ${kind} ${String(who)}`, async (model, request) => {
    const { scope, ask } = callerOf(model, request, who);
    const id = resolve(model, reference, scope);
    const modelled = model.find(kind, id);
    const headers: Record<string, string> =
      modelled !== undefined && isKnown ? { 'If-None-Match': `"${modelled.object['revision']}"` } : {};
    const answer = await ask('GET', `${paths[kind]}/${id}`, { headers });
    if (modelled === undefined) {
      expectRefusal(answer, [{ status: 404, code: 'NOT_FOUND', message: `${nouns[kind]} with ID "${id}" not found.` }]);
      return;
    }
    if (!model.isShownTo(scope, kind, modelled.object)) {
      expectRefusal(answer, [denied]);
      return;
    }
    expect(answer.headers).toMatchObject({ etag: `"${modelled.object['revision']}"` });
    if (isKnown) {
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 304, text: '' });
      return;
    }
    expect(answer.status).toBe(200);
    expectShown(model, answer.body, modelled);
  });
}

function list(kind: Kind, filters: Fields, pageSize: number, form: ListForm): Step {
  return new Step(`list ${kind}s ${fc.stringify([filters, form])}`, async (model, request) => {
    const { selector, ...others } = resolved(model, filters);
    const { objects, refusals } = model.list(kind, others, selector);
    const query = selector === undefined ? others : { ...others, selector: selectorText(selector) };
    let last: Reply | undefined;
    const read = async (path: string) => {
      last = await request('GET', path);
      if (last.status === 200) expect(last.body[lists[kind]].length).toBeLessThanOrEqual(pageSize);
      return last;
    };
    if (refusals.length > 0) {
      await expect(readList(read, lists[kind], query)).rejects.toThrow();
      expectRefusal(last!, refusals);
      return;
    }
    const shown = await readList(read, lists[kind], { ...query, ...form, page_size: String(pageSize) });
    expect(shown.map((object) => object[`${kind}_id`])).toEqual(objects.map(({ id }) => id));
    const isByState = others['state'] !== undefined;
    for (const [index, modelled] of objects.entries()) expectListed(model, shown[index]!, modelled, form, isByState);
  });
}

// Batches --------------------------------------------------------------------------------------------------------------

interface Operation {
  verb: 'add' | 'upsert' | 'change' | 'remove';
  kind: Kind;
  /** Of what is changed or removed. */
  reference: Reference;
  /** Refers to what an operation of the same batch adds or declares, instead, when there is one of its kind before it. */
  byLabel: boolean;
  body: Fields;
  force: boolean;
}

const capitals = { node: 'Node', service: 'Service', agent: 'Agent' };

/** What is sent for operations: each add and declaration has a label, and references are ids, or labels before. */
function sentFor(model: Model, operations: readonly Operation[]): Fields[] {
  const added: Record<Kind, string[]> = { node: [], service: [], agent: [] };
  return operations.map(({ verb, kind, reference, byLabel, body, force }, index) => {
    const op = `${verb}${capitals[kind]}`;
    const label = byLabel ? added[kind].at(-1) : undefined;
    const id = label === undefined ? resolve(model, reference) : `$${label}`;
    if (verb === 'remove') return { op, id, force };
    const resolvedBody = resolved(model, body);
    const node = added.node.at(-1);
    if (byLabel && verb !== 'change' && kind === 'service' && node !== undefined) resolvedBody.node_ids = [`$${node}`];
    if (verb === 'change') return { op, id, body: resolvedBody };
    const ref = `l${index}`;
    added[kind].push(ref);
    return { op, ref, body: resolvedBody };
  });
}

/** The same with ids for labels; undefined when what it refers to was not added. */
function withIds(sent: Fields, ids: ReadonlyMap<string, string>): Fields | undefined {
  const missing: string[] = [];
  const text = JSON.stringify(sent).replace(/"\$(l\d+)"/g, (_, label: string) => {
    const id = ids.get(label);
    if (id === undefined) missing.push(label);
    return JSON.stringify(id ?? '');
  });
  return missing.length === 0 ? JSON.parse(text) : undefined;
}

function expectResult(model: Model, { verb, kind }: Operation, sent: Fields, result: Fields): void {
  const refusedBecause = (refusals: readonly Refusal[]) => {
    if (refusals.length === 0) return false;
    const answer = { status: result['status'], body: result['error'] } as Reply;
    expect([sent, result, refusals.some((refusal) => fits(refusal, answer))]).toEqual([sent, result, true]);
    return true;
  };
  if (verb === 'remove') {
    if (refusedBecause(model.refusalsOfRemoval(kind, sent['id'], { force: sent['force'], ifMatch: undefined }))) return;
    expect(result).toEqual({ status: 204, id: sent['id'] });
    model.remove(kind, sent['id']);
    return;
  }
  const { object, refusals, isNew, outcome } = planned(model, { verb, kind }, sent);
  if (refusedBecause(refusals)) return;
  expect(result).toMatchObject({ status: isNew ? 201 : 200, id: result['body'][`${kind}_id`] });
  expect(result['outcome']).toBe(outcome);
  const { created_at: _created, updated_at: _updated, ...shown } = result['body'];
  const { created_at: _before, updated_at: _then, ...expected } = object;
  expect(shown).toEqual(isNew ? { ...expected, [`${kind}_id`]: result['id'] } : expected);
  apply(model, { verb, kind }, result['body']);
}

interface WritePlan {
  object: Fields;
  refusals: Refusal[];
  isNew: boolean;
  outcome?: string;
}

function planned(model: Model, { verb, kind }: Pick<Operation, 'verb' | 'kind'>, { id, body }: Fields): WritePlan {
  if (verb === 'add') return { ...model.planAdd(kind, body), isNew: true };
  if (verb === 'change') return { ...model.planChange(kind, id, body, undefined), isNew: false };
  const plan = model.planUpsert(kind, body, { ifMatch: undefined, ifNoneMatch: undefined });
  return { ...plan, isNew: plan.outcome === 'added' };
}

function apply(model: Model, { verb, kind }: Pick<Operation, 'verb' | 'kind'>, object: Fields): void {
  if (verb === 'add') model.add(kind, object);
  else if (verb === 'upsert') model.upsert(kind, object);
  else model.change(kind, object[`${kind}_id`], object);
}

const twice: Refusal = { status: 400, code: 'INVALID_ARGUMENT', mentions: ['the same object'] };

/** Each operation of an atomic batch that cannot be done after those before it, but for these, with all the reasons. */
function problemsOf(model: Model, operations: readonly Operation[], sent: readonly Fields[]) {
  const world = model.copy();
  const ids = new Map<string, string>();
  const affected = new Set<string>();
  return operations.flatMap((operation, index) => {
    const { verb, kind } = operation;
    const whole = withIds(sent[index]!, ids);
    if (whole === undefined) return { index, refusals: [] };
    const { body } = whole;
    const plannedOperation = verb === 'remove' ? undefined : planned(world, operation, whole);
    // Whom the table knows by this key counts as well, and not only who will have it after the operations before.
    const matchingIds =
      verb === 'upsert'
        ? [world, model].map(
            (each) => each.planUpsert(kind, body, { ifMatch: undefined, ifNoneMatch: undefined }).modelled?.id,
          )
        : [whole['id']];
    const refusals = [
      ...(matchingIds.some((id) => affected.has(id)) ? [twice] : []),
      ...(plannedOperation?.refusals ??
        world.refusalsOfRemoval(kind, whole['id'], { force: false, ifMatch: undefined })),
    ];
    if (refusals.length > 0) return { index, refusals };
    const id: string = plannedOperation?.isNew === true ? `new ${index}` : (matchingIds[0] ?? whole['id']);
    affected.add(id);
    if (whole['ref'] !== undefined) ids.set(whole['ref'], id);
    if (plannedOperation === undefined) world.remove(kind, id);
    else apply(world, operation, { created_at: 'z', ...plannedOperation.object, [`${kind}_id`]: id });
    return [];
  });
}

/** It names the first operation that cannot be done, with the reason; or a later one, when there are several. */
function expectAtomicRefusal(model: Model, operations: readonly Operation[], sent: Fields[], answer: Reply): void {
  const { details } = answer.body;
  const [{ field }] = details;
  if (field === 'operations') {
    expect(answer.body.message).toContain('a transaction contains at most 100');
    return;
  }
  const index = Number(field.split('.')[1]);
  const [first] = problemsOf(model, operations, sent);
  expect([answer.body, index >= (first?.index ?? Number.NaN)]).toEqual([answer.body, true]);
  if (first === undefined || index > first.index || first.refusals.length === 0) return;
  const ownDetails = details.map((detail: Fields) => ({
    ...detail,
    field: detail['field'].replace(/^operations\.\d+\.body\./, ''),
  }));
  const alone = { ...answer, body: { ...answer.body, details: ownDetails } };
  const isFitting = first.refusals.some((refusal) => fits(refusal, alone));
  expect([answer.body, first.refusals, isFitting]).toEqual([answer.body, first.refusals, true]);
}

/** One after the other, as if each had been sent alone; or not at all, when one of them is malformed or all are to be done. */
function batch(given: readonly Operation[], atomic: boolean): Step {
  const operations = given.map((operation) => (atomic ? { ...operation, force: false } : operation));
  return new Step(`batch ${String(atomic)} ${fc.stringify(operations)}`, async (model, request) => {
    const sent = sentFor(model, operations);
    const answer = await request('POST', '/v1/batch', { body: { operations: sent, atomic } });
    if (atomic && answer.status !== 200) {
      expectAtomicRefusal(model, operations, sent, answer);
      return;
    }
    if (answer.status !== 200) {
      expectStatus(answer, 400);
      const fields: string[] = answer.body.details.map((violation: Fields) => violation['field']);
      for (const field of fields) {
        const [, index, , ...path] = field.split('.');
        const { verb, kind } = operations[Number(index)]!;
        const body = sent[Number(index)]!['body'];
        const { refusals } = planned(model, { verb, kind }, { id: '', body });
        expect([field, refusals.map(({ field: wrong }) => wrong)]).toEqual([
          field,
          expect.arrayContaining([path.join('.')]),
        ]);
      }
      return;
    }
    const ids = new Map<string, string>();
    const { results } = answer.body;
    expect(results).toHaveLength(operations.length);
    const before = model.removals.length;
    for (const [index, operation] of operations.entries()) {
      const whole = withIds(sent[index]!, ids);
      const result = results[index];
      if (whole === undefined) {
        expect(result).toMatchObject({ status: 400, error: { code: 9 } });
        continue;
      }
      expectResult(model, operation, whole, result);
      if (whole['ref'] !== undefined && result.error === undefined) ids.set(whole['ref'], result.id);
    }
    // What goes in one transaction is one removal.
    if (atomic && model.removals.length > before) model.removals.push(model.removals.splice(before).flat());
  });
}

// Reconcile -----------------------------------------------------------------------------------------------------------

interface Wish {
  prefix: string;
  nodes: readonly { body: Fields; process: boolean; exporter: boolean }[];
  services: readonly { body: Fields; on: readonly string[] }[];
  watched: readonly string[];
}

/** Without what is undefined. */
const present = (body: Fields): Fields => JSON.parse(JSON.stringify(body));

/** What a wish asks for, as it is sent: each name once, and all of it within the scope. */
function desiredBy({ prefix, nodes, services, watched }: Wish): Fields {
  const withPrefix = <T extends { body: Fields }>(list: readonly T[], field: string) => [
    ...new Map(
      list.filter(({ body }) => body[field].startsWith(prefix)).map((item) => [item.body[field], item]),
    ).values(),
  ];
  const ownNodes = withPrefix(nodes, 'node_name');
  const ownServices = withPrefix(services, 'service_name');
  const processes = ownNodes.filter(({ process }) => process);
  const place = ({ body }: { body: Fields }) => ({ runs_on_node_name: body['node_name'] });
  const targets = ownServices.map(({ body }) => body['service_name']).filter((name) => watched.includes(name));
  return {
    nodes: ownNodes.map(({ body }) => body),
    services: ownServices.map(({ body: { node_ids: _, ...body }, on }) => ({ ...body, node_names: on })),
    agents: [
      ...processes.map((desiredProcess) => ({ agent_type: 'pmm_agent', ...place(desiredProcess) })),
      ...processes.flatMap((desiredProcess) =>
        desiredProcess.exporter ? [{ agent_type: 'node_exporter', ...place(desiredProcess) }] : [],
      ),
      ...(targets.length === 0
        ? []
        : [{ agent_type: 'external_exporter', listen_port: 1, insights: { service_names: targets } }]),
    ],
  };
}

/** Ids of what belongs to the scope. */
function idsWithin(model: Model, prefix: string): Set<string> {
  const named = (['node', 'service'] as const).flatMap((kind) =>
    model.all(kind).filter(({ object }) => object[`${kind}_name`].startsWith(prefix)),
  );
  const within = new Set(named.map(({ id }) => id));
  const agents = model.all('agent').filter(({ object: { runs_on_node_id: nodeId, insights } }) => {
    const targets: string[] = [...insights.node_ids, ...insights.service_ids];
    return within.has(nodeId) || (targets.length > 0 && targets.every((id) => within.has(id)));
  });
  return new Set([...within, ...agents.map(({ id }) => id)]);
}

/** What was done is what it says, lies within the scope, and leaves there what is desired, unless something is blocked. */
function reconcile(wish: Wish): Step {
  return new Step(`reconcile ${fc.stringify(wish)}`, async (model, request) => {
    const desired = desiredBy(wish);
    const within = idsWithin(model, wish.prefix);
    const answer = await request('POST', '/v1/reconcile', {
      body: { mode: 'apply', max_removals_percent: 100, scope: { name_prefix: wish.prefix }, desired },
    });
    const wanted = Object.values<Fields[]>(desired).flat().length;
    if (answer.status === 400) {
      // Malformed, as an add of it would be; or nothing is desired.
      const isMalformed = [...desired['nodes'], ...desired['services']].some((body: Fields) => {
        const { node_names: _, ...rest } = body;
        return model
          .planAdd('node_name' in body ? 'node' : 'service', rest)
          .refusals.some(({ field }) => field !== undefined);
      });
      expect([answer.text, isMalformed || (wanted === 0 && within.size > 0)]).toEqual([answer.text, true]);
      return;
    }
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ state: 'done', in_scope: within.size });
    const items: Fields[] = answer.body.items;
    const done = items.filter(({ outcome }) => outcome === 'done');
    const order: readonly Kind[] = ['node', 'service', 'agent'];
    for (const { kind, id, action } of done.toSorted((a, b) => order.indexOf(a['kind']) - order.indexOf(b['kind']))) {
      expect(within.has(id)).toBe(action !== 'add');
      if (action === 'remove') continue;
      const {
        state: _,
        reported_at: __,
        status_since: ___,
        ...object
      } = (await request('GET', `${paths[kind as Kind]}/${id}`)).body;
      // What its process says of it is no part of it.
      if (object.connected !== undefined) object.connected = false;
      if (object.status !== undefined) object.status = model.find(kind, id)?.object['status'] ?? object.status;
      if (action === 'change') model.change(kind, id, object);
      else if (kind === 'agent') model.upsert(kind, object);
      else model.add(kind, object);
    }
    const before = model.removals.length;
    let left = done.filter(({ action }) => action === 'remove');
    while (left.length > 0) {
      const free = ({ kind, id }: Fields) =>
        model.refusalsOfRemoval(kind, id, { force: false, ifMatch: undefined }).length === 0;
      // Nothing went before what depended on it.
      expect(left.some(free)).toBe(true);
      for (const { kind, id } of left.filter(free)) model.remove(kind, id);
      left = left.filter(({ kind, id }) => model.find(kind, id) !== undefined);
    }
    // What went in one transaction is one removal.
    const gone = model.removals.splice(before).flat();
    const { removals } = (await request('GET', '/v1/removed?page_size=1000')).body;
    for (const { objects } of gone.length === 0 ? [] : removals) {
      const ids = objects.map((object: Fields) => object['id']);
      const together = gone.filter((modelled) => ids.includes(modelled.id));
      if (together.length > 0) model.removals.push(together);
    }
    for (const body of desired['nodes'])
      expectDesired(
        model.all('node').find(({ object }) => object['node_name'] === body.node_name),
        body,
        items,
      );
    for (const { node_names: names, ...body } of desired['services']) {
      const modelled = model.all('service').find(({ object }) => object['service_name'] === body.service_name);
      expectDesired(modelled, body, items);
      const shown = modelled?.object['node_ids'].map((id: string) => model.find('node', id)?.object['node_name']);
      if (items.every(({ blocked }) => blocked === undefined)) expect(new Set(shown)).toEqual(new Set(names));
    }
    if (items.every(({ outcome }) => outcome === 'done')) expect(idsWithin(model, wish.prefix).size).toBe(wanted);
  });
}

/** It is there as desired, with nothing else set; or its item says why not. */
function expectDesired(modelled: ModelObject | undefined, body: Fields, items: readonly Fields[]): void {
  const name = ['node_name', 'service_name'].find((field) => field in body)!;
  const failed = items.some((item) => item[name] === body[name] && item['outcome'] !== 'done');
  if (failed) return;
  const {
    created_at: _c,
    updated_at: _u,
    revision: _r,
    node_id: _n,
    service_id: _s,
    node_ids: _i,
    ...rest
  } = modelled!.object;
  const { custom_labels: labelsWanted = {}, ...wanted } = body;
  const standards: Fields = { database_name: 'postgres', auto_discovery_limit: 0, group: 'external' };
  const given = Object.entries(rest).filter(([field, value]) => !(field in wanted) && standards[field] !== value);
  expect(Object.fromEntries(given)).toEqual({ custom_labels: labelsWanted });
  expect(rest).toMatchObject(wanted);
}

const listTypes = () =>
  new Step('list types of services', async (model, request) => {
    const { body } = await request('GET', '/v1/services/types');
    const types = new Set(model.all('service').map(({ object }) => object['service_type']));
    expect(new Set(body.service_types)).toEqual(types);
    expect(body.service_types).toHaveLength(types.size);
  });

const bodies = { node: nodeBody, service: serviceBody, agent: agentBody };
const changes = { node: nodeChange, service: serviceChange, agent: agentChange };
const filters = { node: nodeFilters, service: serviceFilters, agent: agentFilters };

const operation = fc.constantFrom(...kinds).chain((kind) =>
  fc
    .oneof(
      { weight: 4, arbitrary: bodies[kind].map((body) => ({ verb: 'add' as const, body })) },
      { weight: 4, arbitrary: bodies[kind].map((body) => ({ verb: 'upsert' as const, body })) },
      { weight: 3, arbitrary: changes[kind].map((body) => ({ verb: 'change' as const, body })) },
      { weight: 2, arbitrary: fc.constant({ verb: 'remove' as const, body: {} }) },
    )
    .chain((what) =>
      fc.record({ reference: references[kind], byLabel: fc.boolean(), force: fc.boolean() }).map((more) => ({
        kind,
        ...what,
        ...more,
      })),
    ),
);

/** An Editor mostly, else a Registrar. */
const who = fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(3) });
const registrar = fc.nat(3);
const idempotencyKey = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('one', 'two', 'three', 'four') },
);

/** What a host does: it knows what is its own, and reaches beyond it now and then. */
const hostNodes = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(ownReference('node')) },
  { weight: 1, arbitrary: fc.tuple(ownReference('node'), references.node) },
);
const hostServices = fc.oneof(
  { weight: 2, arbitrary: fc.array(ownReference('service'), { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.tuple(references.service) },
);
const hostBodies = {
  node: fc.record({
    node_type: fc.constant('generic'),
    node_name: fc.constant(OWN_NAME),
    address,
    region: maybe(region),
    custom_labels: maybe(labels),
  }),
  service: fc.record({
    service_type: fc.constant('mysql'),
    service_name: name,
    address: fc.constant('a'),
    port,
    node_ids: hostNodes.map((distinct) => ({ distinct })),
    custom_labels: maybe(labels),
  }),
  agent: fc.oneof(
    fc.record({ agent_type: fc.constant('pmm_agent'), runs_on_node_id: ownReference('node') }),
    fc.record({
      agent_type: fc.constant('node_exporter'),
      pmm_agent_id: ownReference('pmm_agent'),
      disabled: maybe(fc.boolean()),
    }),
    fc.record({
      agent_type: fc.constant('mysqld_exporter'),
      pmm_agent_id: ownReference('pmm_agent'),
      insights: fc.record({ service_ids: hostServices.map((distinct) => ({ distinct })) }),
    }),
    fc.record({
      agent_type: fc.constant('external_exporter'),
      listen_port: port,
      runs_on_node_id: ownReference('node'),
      insights: fc.record({
        node_ids: hostNodes.map((distinct) => ({ distinct })),
        service_ids: hostServices.map((distinct) => ({ distinct })),
      }),
    }),
  ),
};
const hostSteps = kinds.flatMap((kind) => {
  const anyOwn = fc.oneof({ weight: 5, arbitrary: ownReference(kind) }, { weight: 1, arbitrary: references[kind] });
  return [
    fc
      .tuple<[Fields, number, string | undefined]>(hostBodies[kind], registrar, idempotencyKey)
      .map(([body, by, key]) => add(kind, body, by, key)),
    fc
      .tuple<[Fields, number, Match]>(hostBodies[kind], registrar, ifMatch)
      .map(([body, by, match]) => upsert(kind, { body, isNamed: true, match, onlyAdd: false, who: by })),
    fc
      .tuple<[Reference, Fields, number]>(anyOwn, changes[kind], registrar)
      .map(([reference, body, by]) => change(kind, reference, body, undefined, by)),
    fc
      .tuple(anyOwn, fc.boolean(), registrar)
      .map(([reference, force, by]) => remove(kind, reference, force, undefined, by)),
    fc.tuple(anyOwn, registrar).map(([reference, by]) => get(kind, reference, false, by)),
  ];
});

const adds = [...kinds.map((kind) => [kind, bodies[kind]] as const), ['agent', processBody] as const].map(
  ([kind, body]) =>
    fc
      .tuple<[Fields, Who, string | undefined]>(body, who, idempotencyKey)
      .map(([sent, by, key]) => add(kind, sent, by, key)),
);
const wish: fc.Arbitrary<Wish> = fc.record({
  prefix: fc.constantFrom('db', 'DB', 'db#'),
  nodes: fc.array(fc.record({ body: nodeBody.map(present), process: fc.boolean(), exporter: fc.boolean() }), {
    maxLength: 3,
  }),
  services: fc.array(fc.record({ body: serviceBody.map(present), on: fc.subarray(names, { maxLength: 2 }) }), {
    maxLength: 3,
  }),
  watched: fc.subarray(names),
});

const declarations = (kind: Kind, body: fc.Arbitrary<Fields>) =>
  fc
    .record({ body, isNamed: fc.boolean(), match: ifMatch, onlyAdd: fc.nat(9).map((draw) => draw === 0), who })
    .map((declaration) => upsert(kind, declaration));
const upserts = [...kinds.map((kind) => declarations(kind, bodies[kind])), declarations('agent', processBody)];
const saidOfAgent = fc.record({
  agent: references.agent,
  status: fc.constantFrom('starting', 'running', 'waiting', 'stopping', 'done', 'unknown'),
});
/** Exporters that watch other nodes lose them with these, and are declared again with and without targets. */
const nodeExporter = fc.record({
  agent_type: fc.constant('node_exporter'),
  pmm_agent_id: references.process,
  insights: maybe(fc.record({ node_ids: nodeIds })),
});
const redeclarations = [
  ...kinds.map((kind) =>
    fc.tuple(references[kind], fc.constant(true)).map(([reference, isTold]) => redeclare(kind, reference, isTold)),
  ),
  ...[0, 1].map(() =>
    fc.tuple(references.agent, fc.boolean()).map(([reference, isTold]) => redeclare('agent', reference, isTold)),
  ),
  fc
    .tuple(nodeExporter, fc.boolean())
    .map(([body, isNamed]) => upsert('agent', { body, isNamed, match: undefined, onlyAdd: false, who: undefined })),
  references.agent.map((reference) => change('agent', reference, { insights: null }, undefined)),
];
const generation = fc.constantFrom<Generation[]>(3, 2);
/** What both APIs can say. */
const pmmBodies: readonly (readonly [Kind, fc.Arbitrary<Fields>])[] = [
  [
    'node',
    fc.record({
      node_type: fc.constantFrom('generic', 'remote_rds'),
      node_name: name,
      address,
      region,
    }),
  ],
  [
    'service',
    fc.record({
      service_type: fc.constant('mysql'),
      service_name: name,
      address: fc.constant('a'),
      port,
      node_ids: fc.tuple(references.node),
      cluster: maybe(indexedValue),
      environment: maybe(indexedValue),
    }),
  ],
  ['agent', fc.record({ agent_type: fc.constant('pmm_agent'), runs_on_node_id: references.node })],
  [
    'agent',
    fc.record({
      agent_type: fc.constant('mysqld_exporter'),
      pmm_agent_id: references.process,
      insights: fc.record({ service_ids: fc.tuple(references.service) }),
      username: fc.constant('u'),
    }),
  ],
];
const pmmSteps = [
  ...pmmBodies.map(([kind, body]) =>
    fc.tuple<[Generation, Fields]>(generation, body).map(([by, sent]) => addByPmm(by, kind, sent)),
  ),
  fc
    .tuple(
      generation,
      references.service,
      fc.record({ environment: orNull(indexedValue), cluster: orNull(indexedValue) }),
    )
    .map(([by, reference, fields]) => changeByPmm(by, reference, fields)),
  ...kinds.map((kind) =>
    fc
      .tuple(generation, references[kind], fc.boolean())
      .map(([by, reference, force]) => removeByPmm(by, kind, reference, force)),
  ),
];
const steps = [
  ...pmmSteps,
  ...upserts,
  ...upserts,
  ...redeclarations,
  // Everything else needs something to be there.
  ...adds,
  ...adds,
  ...adds,
  ...kinds.flatMap((kind) => [
    fc
      .tuple(references[kind], changes[kind], ifMatch, who)
      .map(([reference, body, match, by]) => change(kind, reference, body, match, by)),
    fc
      .tuple(references[kind], changes[kind], ifMatch, who)
      .map(([reference, body, match, by]) => change(kind, reference, body, match, by)),
    fc
      .tuple(references[kind], fc.boolean(), ifMatch, who)
      .map(([reference, force, match, by]) => remove(kind, reference, force, match, by)),
    fc.tuple(references[kind], fc.boolean(), who).map(([reference, isKnown, by]) => get(kind, reference, isKnown, by)),
    fc
      .tuple(filters[kind], fc.integer({ min: 1, max: 3 }), fc.constantFrom(...listForms))
      .map(([filter, size, form]) => list(kind, filter, size, form)),
  ]),
  ...(['node', 'service'] as const).map((kind) =>
    references[kind].map((reference) => remove(kind, reference, true, undefined)),
  ),
  fc.tuple(references.process, fc.boolean()).map(([reference, force]) => remove('agent', reference, force, undefined)),
  fc.constant(null).map(listTypes),
  ...[references.process, references.process, references.agent].map((reference) =>
    fc
      .tuple(reference, fc.array(saidOfAgent, { maxLength: 3 }), fc.boolean(), who)
      .map(([process, agents, isRelayed, by]) => report(process, agents, isRelayed, by)),
  ),
  ...[0, 1, 2].map(() => fc.nat(50).map(restore)),
  fc.array(operation, { minLength: 1, maxLength: 8 }).map((operations) => batch(operations, false)),
  fc.array(operation, { minLength: 1, maxLength: 3 }).map((operations) => batch(operations, false)),
  fc.array(operation, { minLength: 1, maxLength: 3 }).map((operations) => batch(operations, true)),
  fc.array(operation, { minLength: 2, maxLength: 4 }).map((operations) => batch(operations, true)),
  ...[0, 1].map(() => fc.nat(20).map(repeat)),
  // With a token for the node, the host takes over an existing node: hosts should have dependants.
  ...[0, 1, 2].map(() => fc.tuple(nodeBody, fc.nat(4)).map(([body, draw]) => enrol(body, draw > 0))),
  ...hostSteps,
  ...kinds.map((kind) => registrar.map((by) => askTooMuch(by, 'GET', paths[kind]))),
  registrar.map((by) => askTooMuch(by, 'POST', '/v1/batch', { operations: [] })),
  wish.map(reconcile),
  wish.map(reconcile),
];

const first = (from: Reference['from']): Reference => ({ from, index: 0 });

/** What most sequences begin with: of a world that is nearly empty there is little to say. */
const beginning: readonly Step[] = [
  add('node', { node_type: 'generic', node_name: 'db', address: 'a', region: 'eu' }),
  add('node', { node_type: 'remote_rds', node_name: 'db#', address: '1-a', region: 'eu' }),
  enrol({ node_type: 'generic', node_name: 'db', address: 'a' }, true),
  add('agent', { agent_type: 'pmm_agent', runs_on_node_id: first('node') }),
  add('service', {
    service_type: 'mysql',
    service_name: 'db',
    address: 'a',
    port: 3306,
    node_ids: [first('node')],
    cluster: 'x',
  }),
  add('agent', { agent_type: 'node_exporter', pmm_agent_id: first('pmm_agent') }),
  add('agent', {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: first('pmm_agent'),
    insights: { service_ids: [first('service')] },
  }),
  add('service', {
    service_type: 'external',
    service_name: 'DB',
    node_ids: [first('node'), { from: 'node', index: 1 }],
  }),
  // What the host may see and not touch: it watches a service that runs elsewhere.
  add('service', {
    service_type: 'mysql',
    service_name: 'db#',
    address: 'a',
    port: 3306,
    node_ids: [{ from: 'node', index: 1 }],
  }),
  add('agent', {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: first('pmm_agent'),
    insights: { service_ids: [{ from: 'service', index: 2 }] },
  }),
  add('agent', {
    agent_type: 'external_exporter',
    listen_port: 1,
    insights: { node_ids: [first('node')], service_ids: [first('service')] },
  }),
];

// The test -------------------------------------------------------------------------------------------------------------

describe('the inventory and a plain model', () => {
  let inventory: Inventory;
  let client: Request;
  let table: Table;

  beforeAll(async () => {
    inventory = await startInventory();
    ({ table } = inventory);
    client = clientOf(inventory, inventory.keys.Editor);
  });

  afterAll(() => inventory.stop());

  /** The whole state, as the API lists it and as the table holds it, is that of the model. */
  async function expectSame(model: Model): Promise<void> {
    const read = (path: string) => client('GET', path);
    expect(await checkInvariants(table, { read })).toEqual([]);
    for (const kind of kinds) {
      const { objects } = model.list(kind, {});
      for (const form of listForms) {
        const shown = await readList(read, lists[kind], form);
        expect(shown.map((object) => object[`${kind}_id`])).toEqual(objects.map(({ id }) => id));
        for (const [index, modelled] of objects.entries()) expectListed(model, shown[index]!, modelled, form, false);
      }
    }
  }

  /** Everything goes, by force, and leaves nothing behind. */
  async function removeAll(model: Model): Promise<void> {
    for (const kind of kinds)
      for (const { id } of model.all(kind)) {
        if (model.find(kind, id) === undefined) continue;
        expect((await client('DELETE', `${paths[kind]}/${id}?force=true`)).status).toBe(204);
        model.remove(kind, id);
      }
    expect(inventoryItems(await scan(table))).toEqual([]);
  }

  test.each(seeds)(
    `agree after every step of ${runs} sequences of adds, changes, removals and reads (FC_SEED=%i)`,
    async (seed) => {
      let runsSinceFailure: number | undefined;
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.nat(beginning.length), fc.constant(beginning.length)),
          fc.commands(steps, { maxCommands: 40, size: 'max' }),
          async (begun, commands) => {
            // What is shortest by then is shown: the others that may fail as well are not tried.
            if (runsSinceFailure !== undefined && (runsSinceFailure += 1) > shrinks) return;
            const model = new Model();
            // A sequence before may have failed half way.
            await wipe(table);
            const real = recording(client, inventory.keys.Admin);
            try {
              for (const step of beginning.slice(0, begun)) await step.run(model, real);
              await fc.asyncModelRun(() => ({ model, real }), commands);
              await expectSame(model);
              await removeAll(model);
            } catch (error) {
              runsSinceFailure ??= 0;
              // The sequence as it went, with the ids of this very run.
              throw new Error([...real.said, String(error)].join('\n'), { cause: error });
            }
          },
        ),
        { numRuns: runs, seed, endOnFailure: shrinks === 0, includeErrorInReport: true },
      );
    },
  );
});
