import { mayGiveInsight } from './rules.ts';

/*
 * What the inventory is supposed to do, as plainly as it can be said: three maps and no concurrency. Written from the
 * requirements, never from the code under test.
 */

export type Fields = Record<string, any>;
export type Kind = 'node' | 'service' | 'agent';

export const kinds = ['node', 'service', 'agent'] as const;
export const nouns = { node: 'Node', service: 'Service', agent: 'Agent' } as const;

/** One reason for refusing a request. When there are several, the inventory may give any of them. */
export interface Refusal {
  status: number;
  code: string;
  message?: string;
  /** What the message must speak of. */
  mentions?: readonly string[];
  /** A field that `details` must name. */
  field?: string;
}

export const notFound = (kind: Kind, id: string): Refusal => ({
  status: 404,
  code: 'NOT_FOUND',
  message: `${nouns[kind]} with ID "${id}" not found.`,
});

const taken = (kind: Kind, ...values: string[]): Refusal => ({
  status: 409,
  code: 'ALREADY_EXISTS',
  mentions: [nouns[kind], ...values.map((value) => `"${value}"`), 'already exists'],
});

const forbidden = (message: string): Refusal => ({ status: 400, code: 'FAILED_PRECONDITION', message });

/** What is missing is not what was asked for. */
const asPrecondition = (refusal: Refusal): Refusal => ({ ...refusal, status: 400, code: 'FAILED_PRECONDITION' });

const invalid = (field: string): Refusal => ({ status: 400, code: 'INVALID_ARGUMENT', field });

const otherType: Refusal = { status: 409, code: 'ALREADY_EXISTS', mentions: ['type'] };

const outdated: Refusal = { status: 412, code: 'FAILED_PRECONDITION' };

/** What may be reported after each status. */
const ways: Readonly<Record<string, readonly string[]>> = {
  unknown: ['starting', 'running', 'waiting', 'stopping', 'done'],
  starting: ['running', 'waiting', 'stopping'],
  running: ['waiting', 'stopping'],
  waiting: ['starting', 'stopping', 'done'],
  stopping: ['done'],
  done: ['starting'],
};

/** Whether a process may report this status after that one. The same status may be repeated, but nobody reports `unknown`. */
const mayFollow = (last: string, status: string) =>
  status !== 'unknown' && (status === last || (ways[last] ?? []).includes(status));

interface ReportEntry {
  agent_id: string;
  status: string;
}

/** For a Registrar: what is not below its node, and what is not open to it at all. */
/** What an agent process said last: the statuses of its agents by their ids, and the time since which each has its status. */
interface LastReport {
  at: string;
  agents: Map<string, { status: string; since: string }>;
}

export const denied: Refusal = { status: 403, code: 'PERMISSION_DENIED' };

const reused: Refusal = { status: 422, code: 'FAILED_PRECONDITION', mentions: ['Idempotency-Key'] };

const tooMuch: Refusal = { status: 400, code: 'FAILED_PRECONDITION', mentions: ['at once'] };

/** The node that the caller is bound to; undefined for an Editor. */
export type Scope = string | undefined;

/** A host with a key of its own. */
export interface Registrar {
  nodeId: string;
  nodeName: string;
  key: string;
}

/** An add that took effect under an Idempotency-Key. */
export interface DoneAdd {
  kind: Kind;
  /** Who made it: a Registrar, or the Editor. */
  by: Registrar | undefined;
  idempotencyKey: string;
  sent: Fields;
  /** The object in the answer, which every repetition gets. */
  answered: Fields;
}

/** What an object of a type has: the fields it may have, and what they are when nobody says. */
interface TypeRule {
  fields: readonly string[];
  standard?: Fields;
  required?: readonly string[];
  /** Rule A: address with port, or socket. */
  hasEndpoint?: true;
}

const exporter = ['listen_port', 'push_metrics', 'log_level', 'expose_exporter', 'disable_collectors'];
const exporterStandard = { push_metrics: false, expose_exporter: false, disable_collectors: [] };

const typeRules: Readonly<Record<Kind, Readonly<Record<string, TypeRule>>>> = {
  node: {
    generic: { fields: ['address', 'region', 'distro', 'lifetime', 'stale_after'], required: ['address'] },
    container: { fields: ['address', 'region', 'container_id'], required: ['address'] },
    remote_rds: { fields: ['address', 'region', 'instance_id'], required: ['address', 'region'] },
  },
  service: {
    mysql: { fields: ['address', 'port', 'socket', 'cluster', 'environment'], hasEndpoint: true },
    postgresql: {
      fields: ['address', 'port', 'socket', 'cluster', 'environment', 'database_name', 'auto_discovery_limit'],
      standard: { database_name: 'postgres', auto_discovery_limit: 0 },
      hasEndpoint: true,
    },
    external: { fields: ['cluster', 'environment', 'group'], standard: { group: 'external' } },
  },
  agent: {
    pmm_agent: { fields: [] },
    node_exporter: { fields: exporter, standard: exporterStandard },
    mysqld_exporter: {
      fields: [...exporter, 'username'],
      standard: { ...exporterStandard, tls: false, tls_skip_verify: false, tablestats_group_table_limit: 0 },
    },
    external_exporter: {
      fields: ['listen_port', 'push_metrics', 'username', 'scheme', 'metrics_path'],
      standard: { push_metrics: false, scheme: 'http', metrics_path: '/metrics', tls_skip_verify: false },
      required: ['listen_port'],
    },
  },
};

/** What an agent of a type says about its place when it is added. */
const placeFields: Readonly<Record<string, { required?: string; optional?: string }>> = {
  pmm_agent: { required: 'runs_on_node_id' },
  node_exporter: { required: 'pmm_agent_id' },
  mysqld_exporter: { required: 'pmm_agent_id' },
  external_exporter: { optional: 'runs_on_node_id' },
};

const sharedFields = ['custom_labels'];
const relationFields = { node: [], service: ['node_ids'], agent: ['insights', 'disabled'] } as const;

/** Of an object's times only the order is known. */
const recordFields = ['created_at', 'updated_at', 'revision'];

export interface ModelObject {
  kind: Kind;
  id: string;
  /** The object as it must be shown, but for `updated_at` when a removal of something else changed it unseen. */
  object: Fields;
  changedUnseen: boolean;
  /** An agent that is found by its key, and stays the one that is as long as it has that key. */
  registered?: boolean;
}

/** What a declaration is to do, and what speaks against it. */
export interface UpsertPlan {
  /** Without id and times when it is added. */
  object: Fields;
  refusals: Refusal[];
  /** The object that already exists. */
  modelled: ModelObject | undefined;
  outcome: 'added' | 'changed' | 'unchanged';
}

export interface Conditions {
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}

const rule = (kind: Kind, object: Fields): TypeRule => typeRules[kind][object[`${kind}_type`]]!;

function endpointViolations(object: Fields): Refusal[] {
  const has = (field: string) => object[field] !== undefined;
  if (!has('address') && !has('socket')) return [invalid('address')];
  if (has('address') && has('socket')) return [invalid('socket')];
  if (has('address') && !has('port')) return [invalid('port')];
  return has('socket') && has('port') ? [invalid('port')] : [];
}

/** A node_exporter without a target watches the node that it runs on. */
function watchByDefault(object: Fields): void {
  const targets: string[] = [...object['insights'].node_ids, ...object['insights'].service_ids];
  if (object['agent_type'] === 'node_exporter' && targets.length === 0)
    object['insights'] = { node_ids: [object['runs_on_node_id']], service_ids: [] };
}

/** What tells an agent from others of its type. */
function agentKeyOf({ agent_type: type, pmm_agent_id: parentId, runs_on_node_id: nodeId, insights }: Fields): string {
  const sortedIds = (ids: string[] = []) => [...ids].sort();
  return JSON.stringify([
    type,
    parentId === undefined ? { node: nodeId } : { parent: parentId },
    sortedIds(insights?.node_ids),
    sortedIds(insights?.service_ids),
  ]);
}

/** The keys by which an agent may be declared: one that watches its own node also without a target. */
function agentKeysOf(agent: Fields): string[] {
  const { agent_type: type, runs_on_node_id: nodeId, insights } = agent;
  const isOwn = type === 'node_exporter' && isSame(insights, { node_ids: [nodeId], service_ids: [] });
  return [agentKeyOf(agent), ...(isOwn ? [agentKeyOf({ ...agent, insights: undefined })] : [])];
}

/** What declares an object as it is. */
export function declarationOf(kind: Kind, object: Fields): Fields {
  const place = kind === 'agent' ? Object.values(placeFields[object['agent_type']] ?? {}) : [`${kind}_name`];
  const said = [`${kind}_type`, ...place, ...rule(kind, object).fields, ...sharedFields, ...relationFields[kind]];
  return Object.fromEntries(Object.entries(object).filter(([field]) => said.includes(field)));
}

const isSameSet = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((id) => right.includes(id));

const isRepetitive = (ids: readonly string[] | null = []) => ids !== null && new Set(ids).size < ids.length;

/** One condition of a selector. */
export interface Term {
  label: string;
  how: 'in' | 'notin' | 'exists' | 'absent';
  values: readonly string[];
}

/** Attributes that are labels, before any label of the same name. */
const attributeLabels: Readonly<Record<Kind, readonly string[]>> = {
  node: [
    ...['node_id', 'node_name', 'node_type', 'machine_id', 'container_id', 'container_name', 'node_model', 'region'],
    ...['az', 'instance_id', 'address'],
  ],
  service: [
    ...['service_id', 'service_name', 'service_type', 'address', 'environment', 'cluster', 'replication_set', 'group'],
  ],
  agent: ['agent_id', 'agent_type'],
};

function meets({ kind, object }: ModelObject, { label, how, values }: Term): boolean {
  const value = attributeLabels[kind].includes(label) ? object[label] : object['custom_labels'][label];
  if (how === 'exists') return value !== undefined;
  if (how === 'absent') return value === undefined;
  return (value !== undefined && values.includes(value)) === (how === 'in');
}

export class Model {
  readonly #objects = {
    node: new Map<string, ModelObject>(),
    service: new Map<string, ModelObject>(),
    agent: new Map<string, ModelObject>(),
  };
  /** Ids of what was there once. */
  readonly gone: string[] = [];
  /** What went at once and has not come back. */
  readonly removals: ModelObject[][] = [];
  /** By the names of their nodes: there is one key for each. */
  readonly #registrars = new Map<string, Registrar>();
  readonly done: DoneAdd[] = [];

  /** What each agent process said last of its agents, by their ids; whatever has reported here has done so just now. */
  readonly #said = new Map<string, LastReport>();

  /** The agents of these entries that are under the process and that the process cannot say this of, by what it said last. */
  doubtful(processId: string, entries: readonly ReportEntry[]): string[] {
    const last = (id: string) => this.#said.get(processId)?.agents.get(id)?.status ?? 'unknown';
    return entries
      .filter(({ agent_id: id, status }) => this.#isUnder(processId, id) && !mayFollow(last(id), status))
      .map(({ agent_id: id }) => id);
  }

  #isUnder(processId: string, id: string): boolean {
    return this.find('agent', id)?.object['pmm_agent_id'] === processId;
  }

  /**
   * What is taken of a report, and what becomes of the rest.
   *
   * @param reportedAt the time of the report, as the reply says it.
   * @param updatedAt when the doubtful agents were last changed: a disabled agent is done whatever is said of it, and one that was
   *   enabled since the last report begins as done.
   */
  report(
    processId: string,
    entries: readonly ReportEntry[],
    { reportedAt, updatedAt }: { reportedAt: string; updatedAt: ReadonlyMap<string, string> },
  ): { taken: number; refused: string[] } {
    const { at: before, agents }: { at?: string; agents: LastReport['agents'] } = this.#said.get(processId) ?? {
      agents: new Map(),
    };
    this.#said.set(processId, { at: reportedAt, agents });
    const set = (id: string, status: string) => {
      if (agents.get(id)?.status !== status) agents.set(id, { status, since: reportedAt });
    };
    for (const id of agents.keys()) if (!this.#isUnder(processId, id)) agents.delete(id);
    const refused: string[] = [];
    for (const { agent_id: id, status } of entries) {
      const object = this.find('agent', id)?.object;
      const isEnabledAgain =
        object?.['status'] === 'done' && before !== undefined && (updatedAt.get(id) ?? '') >= before;
      // What a process says of itself may be a reason for attention; it has no status.
      if (id === processId) continue;
      if (!this.#isUnder(processId, id)) refused.push(id);
      else if (mayFollow(agents.get(id)?.status ?? 'unknown', status)) set(id, status);
      else if (object?.['disabled'] === true) set(id, 'done');
      else if (isEnabledAgain && mayFollow('done', status)) set(id, status);
      else refused.push(id);
    }
    return { taken: entries.length - refused.length, refused };
  }

  /** What a read says of an object besides: its state, and of an agent what its process said. */
  shown(kind: Kind, object: Fields): Fields {
    const isLive = (processId: string) => this.#said.has(processId);
    const isNodeLive = (nodeId: string) =>
      this.processes().some(({ id, object: { runs_on_node_id: at } }) => at === nodeId && isLive(id));
    const stateBy = (live: boolean) =>
      live ? { state: 'live', reported_at: expect.any(String) } : { state: 'never_seen' };
    if (kind === 'node') return stateBy(isNodeLive(object['node_id']));
    if (kind === 'service') return stateBy(object['node_ids'].some(isNodeLive));
    const { agent_id: id, agent_type: type, pmm_agent_id: processId, runs_on_node_id: nodeId, disabled } = object;
    if (type === 'pmm_agent') return { connected: isLive(id), ...stateBy(isLive(id)) };
    if (processId === undefined) return stateBy(isNodeLive(nodeId));
    const said = this.#said.get(processId)?.agents.get(id);
    const state = stateBy(isLive(processId));
    if (said === undefined) return state;
    if (disabled && said.status !== 'done') return { ...state, status: 'done' };
    return { ...state, status: said.status, status_since: said.since };
  }

  /** What a list that is not asked for states shows of an object: of an agent nothing that its process may have said. */
  listed(kind: Kind, object: Fields): Fields {
    const { status: _, status_since: __, connected: ___, listen_port: ____, version: _____, ...declared } = object;
    const hasProcess = object['agent_type'] === 'pmm_agent' || object['pmm_agent_id'] !== undefined;
    return kind === 'agent' && hasProcess ? declared : object;
  }

  /** What a reply to a write says of an object besides: of an agent what its process said, and never a state. */
  reported(kind: Kind, object: Fields): Fields {
    const { state: _, reported_at: __, ...reported } = kind === 'agent' ? this.shown(kind, object) : {};
    return reported;
  }

  /** As it is now; what becomes of one is nothing to the other. */
  copy(): Model {
    const other = new Model();
    for (const kind of kinds)
      for (const [id, modelled] of this.#objects[kind]) other.#objects[kind].set(id, structuredClone(modelled));
    other.gone.push(...this.gone);
    return other;
  }

  find(kind: Kind, id: string): ModelObject | undefined {
    return this.#objects[kind].get(id);
  }

  all(kind: Kind): ModelObject[] {
    return [...this.#objects[kind].values()];
  }

  processes(): ModelObject[] {
    return this.all('agent').filter(({ object }) => object['agent_type'] === 'pmm_agent');
  }

  // Adds ---------------------------------------------------------------------------------------------------------------

  /** The object that an add makes, without id and times, and what speaks against it. */
  planAdd(kind: Kind, body: Fields, scope?: Scope): { object: Fields; refusals: Refusal[] } {
    // A Registrar has its node; others are for those who may do more.
    if (kind === 'node' && scope !== undefined) return { object: {}, refusals: [denied] };
    return this.#planNew(kind, body, scope);
  }

  #planNew(kind: Kind, body: Fields, scope: Scope): { object: Fields; refusals: Refusal[] } {
    const bad = this.#badAddition(kind, body);
    if (bad.length > 0) return { object: {}, refusals: bad };
    const { standard = {} } = rule(kind, body);
    const object: Fields = { custom_labels: {}, ...standard, ...body, revision: 1 };
    if (kind === 'service') object['node_ids'] ??= [];
    if (kind === 'agent') {
      const refusals = this.#completeAgent(object);
      if (refusals.length > 0) return { object, refusals };
    }
    const foreign = this.#isBelow(scope, kind, object) ? [] : [denied];
    const refusals = [...foreign, ...this.#conflicts(kind, object, undefined), ...this.#badReferences(kind, object)];
    return { object, refusals };
  }

  add(kind: Kind, object: Fields): void {
    const id: string = object[`${kind}_id`];
    this.#objects[kind].set(id, { kind, id, object, changedUnseen: false });
  }

  #badAddition(kind: Kind, body: Fields): Refusal[] {
    const { fields, required = [], hasEndpoint } = rule(kind, body);
    const place = kind === 'agent' ? placeFields[body['agent_type']] : {};
    const knownFields = [
      ...fields,
      ...sharedFields,
      ...relationFields[kind],
      `${kind}_type`,
      ...(kind === 'agent' ? [] : [`${kind}_name`]),
      ...Object.values(place ?? {}),
    ];
    const needed = [...required, ...(place?.required === undefined ? [] : [place.required])];
    return [
      ...Object.keys(body).flatMap((field) => (knownFields.includes(field) ? [] : [invalid(field)])),
      ...needed.flatMap((field) => (body[field] === undefined ? [invalid(field)] : [])),
      ...(hasEndpoint === undefined ? [] : endpointViolations(body)),
      ...this.#repetitions(body),
    ];
  }

  #repetitions({ node_ids: nodeIds, insights }: Fields): Refusal[] {
    return [
      ...(isRepetitive(nodeIds) ? [invalid('node_ids')] : []),
      ...(isRepetitive(insights?.node_ids) ? [invalid('insights.node_ids')] : []),
      ...(isRepetitive(insights?.service_ids) ? [invalid('insights.service_ids')] : []),
    ];
  }

  /** Puts an agent in its place and gives it its first state. */
  #completeAgent(object: Fields): Refusal[] {
    object['disabled'] ??= false;
    object['insights'] = { node_ids: [], service_ids: [], ...object['insights'] };
    if (object['agent_type'] === 'pmm_agent') object['connected'] = false;
    else object['status'] = object['disabled'] === true ? 'done' : 'unknown';
    const parentId: string | undefined = object['pmm_agent_id'];
    if (parentId !== undefined) {
      const parent = this.find('agent', parentId);
      if (parent === undefined) return [notFound('agent', parentId)];
      if (parent.object['agent_type'] !== 'pmm_agent')
        return [forbidden(`Agent with ID "${parentId}" is not a pmm_agent.`)];
      object['runs_on_node_id'] = parent.object['runs_on_node_id'];
    }
    watchByDefault(object);
    return [];
  }

  // What must hold for every object ------------------------------------------------------------------------------------

  #conflicts(kind: Kind, object: Fields, ownId: string | undefined): Refusal[] {
    const others = this.all(kind).filter(({ id }) => id !== ownId);
    const sameAs = (...fields: string[]) =>
      fields.every((field) => object[field] !== undefined) &&
      others.some((other) => fields.every((field) => other.object[field] === object[field]));
    const values = (...fields: string[]): string[] => fields.map((field) => object[field]);
    if (kind === 'service') return sameAs('service_name') ? [taken('service', ...values('service_name'))] : [];
    if (kind === 'agent') return [];
    return [['node_name'], ['address', 'region'], ['container_id']].flatMap((fields) =>
      sameAs(...fields) ? [taken('node', ...values(...fields))] : [],
    );
  }

  #badReferences(kind: Kind, object: Fields): Refusal[] {
    if (kind === 'node') return [];
    const missing = (target: Kind, ids: readonly string[]) =>
      ids.flatMap((id) => (this.find(target, id) === undefined ? [notFound(target, id)] : []));
    if (kind === 'service') return missing('node', object['node_ids']);
    const { runs_on_node_id: nodeId, insights, agent_type: type } = object;
    return [
      ...missing('node', nodeId === undefined ? [] : [nodeId]),
      ...(['node', 'service'] as const).flatMap((target) =>
        (insights[`${target}_ids`] as string[]).flatMap((id) => {
          const targetObject = this.find(target, id);
          if (targetObject === undefined) return [notFound(target, id)];
          const targetType: string = targetObject.object[`${target}_type`];
          if (mayGiveInsight({ agent_type: type, runs_on_node_id: nodeId }, target, { id, type: targetType }))
            return [];
          return [forbidden(`invalid combination of ${target} type ${targetType} and agent type ${type}`)];
        }),
      ),
    ];
  }

  // Adds under an Idempotency-Key -----------------------------------------------------------------------------------------

  /** What this key stands for already. */
  doneUnder(idempotencyKey: string, by: Registrar | undefined): DoneAdd | undefined {
    return this.done.find((add) => add.idempotencyKey === idempotencyKey && add.by?.key === by?.key);
  }

  /** What speaks against another request under a key that stands for one: that alone, unless it is malformed. */
  refusalsOfReuse(kind: Kind, body: Fields, scope: Scope): Refusal[] {
    if (kind === 'node' && scope !== undefined) return [denied];
    return [...this.#badAddition(kind, body), reused];
  }

  // Registrars ---------------------------------------------------------------------------------------------------------

  registrars(): Registrar[] {
    return [...this.#registrars.values()];
  }

  /**
   * What an enrolment does.
   *
   * @param renews with a token for this very node, which takes over the one that is there.
   */
  planEnrolment(
    body: Fields,
    renews: boolean,
  ): { modelled: ModelObject | undefined; object: Fields; refusals: Refusal[] } {
    const name = body['node_name'];
    const modelled = this.all('node').find(({ object }) => object['node_name'] === name);
    const bad = this.#badAddition('node', body);
    if (bad.length > 0 || modelled === undefined)
      return { modelled: undefined, ...this.#planNew('node', body, undefined) };
    return { modelled, object: modelled.object, refusals: renews ? [] : [taken('node', name)] };
  }

  /** @returns the key that ends with this enrolment. */
  enrol(registrar: Registrar): string | undefined {
    const old = this.#registrars.get(registrar.nodeName);
    this.#registrars.set(registrar.nodeName, registrar);
    return old?.key;
  }

  /** As far as the object shows by itself: enough to see it. */
  isShownTo(scope: Scope, kind: Kind, object: Fields): boolean {
    if (scope === undefined) return true;
    const isOnlyHere = (ids: readonly string[]) => ids.every((id) => id === scope);
    if (kind === 'node') return object['node_id'] === scope;
    if (kind === 'service') return object['node_ids'].length > 0 && isOnlyHere(object['node_ids']);
    return object['runs_on_node_id'] === scope && isOnlyHere(object['insights'].node_ids);
  }

  /** Below the node: what a Registrar may write. An agent also watches nothing but services that are below it. */
  #isBelow(scope: Scope, kind: Kind, object: Fields): boolean {
    if (scope === undefined || !this.isShownTo(scope, kind, object)) return scope === undefined;
    if (kind !== 'agent') return true;
    return object['insights'].service_ids.every((id: string) => {
      const service = this.find('service', id);
      return service !== undefined && this.isShownTo(scope, 'service', service.object);
    });
  }

  // Upserts ------------------------------------------------------------------------------------------------------------

  /** The object that a declaration finds: by its name; an agent by type, place and targets, the registered one first. */
  #declared(kind: Kind, body: Fields): ModelObject | undefined {
    if (kind !== 'agent') return this.all(kind).find(({ object }) => object[`${kind}_name`] === body[`${kind}_name`]);
    const wanted = agentKeyOf(body);
    const equal = this.all('agent').filter(({ object }) => agentKeysOf(object).includes(wanted));
    const age = ({ object, id }: ModelObject) => `${object['created_at']} ${id}`;
    return (
      equal.find(({ registered }) => registered === true) ??
      equal.sort((left, right) => (age(left) < age(right) ? -1 : 1))[0]
    );
  }

  planUpsert(kind: Kind, body: Fields, { ifMatch, ifNoneMatch }: Conditions, scope?: Scope): UpsertPlan {
    const bad = this.#badAddition(kind, body);
    const { runs_on_node_id: nodeId, pmm_agent_id: parentId, insights } = body;
    const targets = [...(insights?.node_ids ?? []), ...(insights?.service_ids ?? [])];
    if (kind === 'agent' && nodeId === undefined && parentId === undefined && targets.length === 0)
      bad.push(invalid('insights'));
    const modelled = bad.length > 0 ? undefined : this.#declared(kind, body);
    if (modelled === undefined) {
      const { object, refusals } = this.#planNew(kind, body, scope);
      const missing = ifMatch === undefined ? [] : [outdated];
      return { object, refusals: [...bad, ...missing, ...refusals], modelled, outcome: 'added' };
    }
    const { object: old, id } = modelled;
    // Of what is another's nothing is said, its revision and type included.
    if (!this.isShownTo(scope, kind, old)) return { object: old, refusals: [denied], modelled, outcome: 'unchanged' };
    const revision = `"${old['revision']}"`;
    const isStale = ifMatch !== undefined && ifMatch !== '*' && ifMatch !== revision;
    const isThere = ifNoneMatch === '*' || ifNoneMatch === revision;
    const stale = isStale || isThere ? [outdated] : [];
    if (old[`${kind}_type`] !== body[`${kind}_type`])
      return { object: old, refusals: [...stale, otherType], modelled, outcome: 'unchanged' };

    const { standard = {} } = rule(kind, body);
    const kept = [`${kind}_id`, ...recordFields, 'status', 'connected', 'runs_on_node_id', 'insights'];
    const object: Fields = { custom_labels: {}, ...standard };
    if (kind === 'service') object['node_ids'] = [];
    if (kind === 'agent') object['disabled'] = false;
    Object.assign(object, body);
    for (const field of kept) if (old[field] !== undefined) object[field] = old[field];
    if (kind === 'service' && isSameSet(old['node_ids'], object['node_ids'])) object['node_ids'] = old['node_ids'];
    if (kind === 'agent') watchByDefault(object);
    if (object['disabled'] === true && object['status'] !== undefined) object['status'] = 'done';
    const isChanged = !isSame(object, old);
    if (isChanged) object['revision'] = Number(old['revision']) + 1;
    const refusals = [...stale, ...this.#conflicts(kind, object, id), ...this.#badReferences(kind, object)];
    if (isChanged) refusals.push(...this.#foreignChange(scope, kind, old, object));
    return { object, refusals, modelled, outcome: isChanged ? 'changed' : 'unchanged' };
  }

  /** A Registrar changes what is below its node and stays there. */
  #foreignChange(scope: Scope, kind: Kind, old: Fields, next: Fields): Refusal[] {
    return this.#isBelow(scope, kind, old) && this.#isBelow(scope, kind, next) ? [] : [denied];
  }

  /** @param object as it was answered. */
  upsert(kind: Kind, object: Fields): void {
    const id: string = object[`${kind}_id`];
    const modelled = this.#objects[kind].get(id);
    // An agent that is as declared is not registered by the declaration.
    const isChanged = modelled?.object['revision'] !== object['revision'];
    const registered = kind === 'agent' && (isChanged || modelled?.registered === true);
    this.#objects[kind].set(id, { kind, id, object, changedUnseen: false, registered });
  }

  // Changes ------------------------------------------------------------------------------------------------------------

  /** The object after a change (revision included; times are not), and what speaks against it. */
  planChange(
    kind: Kind,
    id: string,
    change: Fields,
    ifMatch: string | undefined,
    scope?: Scope,
  ): { object: Fields; refusals: Refusal[] } {
    const immutable = [
      `${kind}_type`,
      `${kind}_id`,
      `${kind}_name`,
      'runs_on_node_id',
      'pmm_agent_id',
      ...recordFields,
    ];
    const bad = [
      ...Object.keys(change).flatMap((field) => (immutable.includes(field) ? [invalid(field)] : [])),
      ...this.#repetitions(change),
    ];
    const modelled = this.find(kind, id);
    if (modelled === undefined) return { object: {}, refusals: [...bad, notFound(kind, id)] };
    const { object: old } = modelled;
    if (!this.isShownTo(scope, kind, old)) return { object: {}, refusals: [...bad, denied] };
    const stale = ifMatch === undefined || ifMatch === '*' || ifMatch === `"${old['revision']}"` ? [] : [outdated];
    const { fields, standard: ofType = {}, required = [], hasEndpoint } = rule(kind, old);
    const standard: Fields = {
      ...ofType,
      ...(kind === 'service' ? { node_ids: [] } : {}),
      ...(kind === 'agent' ? { disabled: false } : {}),
    };

    const object = { ...old };
    for (const [field, value] of Object.entries(change)) {
      if (field === 'custom_labels') object[field] = mergedLabels(old[field], value);
      else if (field === 'insights')
        object[field] = {
          node_ids: changedList(old[field].node_ids, value, 'node_ids'),
          service_ids: changedList(old[field].service_ids, value, 'service_ids'),
        };
      else if (value === null) {
        if (standard[field] === undefined) Reflect.deleteProperty(object, field);
        else object[field] = standard[field];
      } else object[field] = value;
    }
    if (object['disabled'] === true && object['status'] !== undefined) object['status'] = 'done';
    if (change['insights'] !== undefined) watchByDefault(object);

    const mutable = [...fields, ...sharedFields, ...relationFields[kind]];
    bad.push(
      ...Object.entries(change).flatMap(([field, value]) =>
        // To clear what an object of this type never has changes nothing, so it may be let through.
        immutable.includes(field) || mutable.includes(field) || value === null ? [] : [invalid(field)],
      ),
      ...required.flatMap((field) => (object[field] === undefined ? [invalid(field)] : [])),
      ...(hasEndpoint === undefined ? [] : endpointViolations(object)),
    );
    if (bad.length + stale.length > 0) return { object, refusals: [...bad, ...stale] };
    const refusals = [...this.#conflicts(kind, object, id), ...this.#badReferences(kind, object)];
    if (!isSame(object, old)) {
      object['revision'] = Number(old['revision']) + 1;
      refusals.push(...this.#foreignChange(scope, kind, old, object));
    }
    return { object, refusals };
  }

  /** @param object as it was answered. */
  change(kind: Kind, id: string, object: Fields): void {
    const registered = this.#staysRegistered(kind, id, object);
    this.#objects[kind].set(id, { kind, id, object, changedUnseen: false, registered });
  }

  #staysRegistered(kind: Kind, id: string, next: Fields): boolean {
    const modelled = this.find(kind, id);
    if (kind !== 'agent' || modelled?.registered !== true) return false;
    return agentKeysOf(modelled.object).every((key) => agentKeysOf(next).includes(key));
  }

  // Removals -----------------------------------------------------------------------------------------------------------

  #dependants(kind: Kind, id: string) {
    const services = this.all('service').filter(({ object }) => object['node_ids'].includes(id));
    const agents = this.all('agent');
    const insights = agents.filter(({ object }) => object['insights'][`${kind}_ids`]?.includes(id));
    const running = agents.filter(({ object }) => object['runs_on_node_id'] === id);
    const isProcess = ({ object }: ModelObject) => object['agent_type'] === 'pmm_agent';
    return {
      services,
      insights,
      processes: running.filter(isProcess),
      agents: running.filter((agent) => !isProcess(agent)),
      children: agents.filter(({ object }) => object['pmm_agent_id'] === id),
    };
  }

  refusalsOfRemoval(
    kind: Kind,
    id: string,
    { force, ifMatch }: { force: boolean; ifMatch: string | undefined },
    scope?: Scope,
  ): Refusal[] {
    const modelled = this.find(kind, id);
    if (modelled === undefined) return [notFound(kind, id)];
    if (!this.isShownTo(scope, kind, modelled.object)) return [denied];
    if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== `"${modelled.object['revision']}"`) return [outdated];
    const affected = force ? this.#affectedBy(kind, id) : [modelled];
    const foreign = affected.every((affectedObject) => this.#isBelow(scope, affectedObject.kind, affectedObject.object))
      ? []
      : [denied];
    if (force) return foreign;
    const { services, insights, processes, agents, children } = this.#dependants(kind, id);
    const has = (what: string) => forbidden(`${nouns[kind]} with ID "${id}" has ${what}.`);
    return [
      ...foreign,
      ...(services.length > 0 ? [has('services')] : []),
      ...(insights.length + agents.length > 0 ? [has('agents')] : []),
      ...(processes.length > 0 ? [has('pmm-agent')] : []),
      ...(children.length > 0 ? [forbidden(`pmm-agent with ID "${id}" has agents.`)] : []),
    ];
  }

  /** What a removal with force does: what goes, and what stays and loses something. */
  #cascade(kind: Kind, id: string): { gone: ModelObject[]; changed: { modelled: ModelObject; next: Fields }[] } {
    const goes = new Set([id]);
    const left = (ids: readonly string[]) => ids.filter((otherId) => !goes.has(otherId));
    if (kind === 'node')
      for (const { id: serviceId, object } of this.all('service'))
        if (object['node_ids'].includes(id) && left(object['node_ids']).length === 0) goes.add(serviceId);
    for (const { id: agentId, object } of this.all('agent')) {
      const { runs_on_node_id: nodeId, pmm_agent_id: parentId, insights } = object;
      const losesService = left(insights.service_ids).length < insights.service_ids.length;
      const hasOthers = left(insights.service_ids).length + left(insights.node_ids).length > 0;
      if (goes.has(nodeId) || goes.has(parentId) || (losesService && !hasOthers)) goes.add(agentId);
    }
    const gone = kinds.flatMap((otherKind) => this.all(otherKind).filter((modelled) => goes.has(modelled.id)));
    const changed = [...this.all('service'), ...this.all('agent')].flatMap((modelled) => {
      const { object } = modelled;
      if (goes.has(modelled.id)) return [];
      const next: Fields = { ...object };
      if (modelled.kind === 'service') next['node_ids'] = left(object['node_ids']);
      else
        next['insights'] = {
          node_ids: left(object['insights'].node_ids),
          service_ids: left(object['insights'].service_ids),
        };
      return isSame(next, object) ? [] : [{ modelled, next }];
    });
    return { gone, changed };
  }

  #affectedBy(kind: Kind, id: string): ModelObject[] {
    const { gone, changed } = this.#cascade(kind, id);
    return [...gone, ...changed.map(({ modelled }) => modelled)];
  }

  /**
   * A refusal that a valid removal can get: that of a Registrar must be one transaction. Each object and each of its
   * labels is an item; a smaller number always fits.
   */
  refusalsBySize(kind: Kind, id: string, scope: Scope): Refusal[] {
    if (scope === undefined) return [];
    const items = this.#affectedBy(kind, id).map(({ object }) => 8 + Object.keys(object['custom_labels']).length);
    return items.reduce((sum, count) => sum + count, 0) < 100 ? [] : [tooMuch];
  }

  /** Removes an object and what goes with it; what stays loses it. */
  remove(kind: Kind, id: string): void {
    const { gone, changed } = this.#cascade(kind, id);
    this.removals.push(gone.map((goneObject) => ({ ...goneObject, object: { ...goneObject.object } })));
    for (const goneObject of gone) {
      this.#objects[goneObject.kind].delete(goneObject.id);
      this.gone.push(goneObject.id);
    }
    for (const { modelled, next } of changed) {
      next['revision'] = Number(modelled.object['revision']) + 1;
      const registered = this.#staysRegistered(modelled.kind, modelled.id, next);
      this.#objects[modelled.kind].set(modelled.id, { ...modelled, object: next, changedUnseen: true, registered });
    }
  }

  // Restorations -------------------------------------------------------------------------------------------------------

  /** Brings back what one removal took away, as far as it goes. */
  restore(removal: readonly ModelObject[]): {
    back: ModelObject[];
    refused: { modelled: ModelObject; refusals: Refusal[] }[];
  } {
    const rank = ({ kind, object }: ModelObject) =>
      kind === 'node' ? 0 : kind === 'service' ? 1 : object['agent_type'] === 'pmm_agent' ? 2 : 3;
    const back: ModelObject[] = [];
    const refused: { modelled: ModelObject; refusals: Refusal[] }[] = [];
    for (const modelled of [...removal].sort((left, right) => rank(left) - rank(right))) {
      const { pmm_agent_id: parentId } = modelled.object;
      const refusals = [
        ...this.#conflicts(modelled.kind, modelled.object, undefined),
        ...this.#badReferences(modelled.kind, modelled.object).map(asPrecondition),
        ...(parentId === undefined || this.find('agent', parentId) !== undefined
          ? []
          : [asPrecondition(notFound('agent', parentId))]),
      ];
      if (refusals.length > 0) {
        refused.push({ modelled, refusals });
        continue;
      }
      const object = { ...modelled.object, revision: Number(modelled.object['revision']) + 1 };
      this.#objects[modelled.kind].set(modelled.id, { ...modelled, object, changedUnseen: true, registered: false });
      this.gone.splice(this.gone.indexOf(modelled.id), 1);
      // It has not reported yet.
      this.#said.delete(modelled.id);
      back.push(modelled);
    }
    return { back, refused };
  }

  /** They never came back. */
  forget(back: readonly ModelObject[]): void {
    for (const { kind, id } of back) {
      this.#objects[kind].delete(id);
      this.gone.push(id);
    }
  }

  // Lists --------------------------------------------------------------------------------------------------------------

  /** What a list with these filters shows, in order. */
  list(kind: Kind, filters: Fields, terms: readonly Term[] = []): { objects: ModelObject[]; refusals: Refusal[] } {
    const { name_prefix: prefix, node_id: nodeId, service_id: serviceId, state, ...equal } = filters;
    const refusals: Refusal[] = [];
    const must = (target: Kind, id: string | undefined) => {
      if (id !== undefined && this.find(target, id) === undefined) refusals.push(notFound(target, id));
    };
    must('node', nodeId);
    must('service', serviceId);
    if (kind === 'agent') {
      must('node', equal['runs_on_node_id']);
      must('agent', equal['pmm_agent_id']);
    }
    const key = ({ object, id }: ModelObject): string =>
      kind === 'agent' ? `${object['agent_type']}#${id}` : object[`${kind}_name`];
    const objects = this.all(kind)
      .filter(
        (modelled) =>
          terms.every((term) => meets(modelled, term)) &&
          (state === undefined || this.shown(kind, modelled.object)['state'] === state) &&
          (prefix === undefined || key(modelled).startsWith(prefix)) &&
          (nodeId === undefined ||
            (kind === 'service' ? modelled.object['node_ids'] : modelled.object['insights'].node_ids).includes(
              nodeId,
            )) &&
          (serviceId === undefined || modelled.object['insights'].service_ids.includes(serviceId)) &&
          Object.entries(equal).every(([field, value]) => modelled.object[field] === value),
      )
      .sort((left, right) => Buffer.compare(Buffer.from(key(left)), Buffer.from(key(right))));
    return { objects, refusals };
  }
}

function mergedLabels(old: Record<string, string>, change: Record<string, string | null> | null): Fields {
  if (change === null) return {};
  return Object.fromEntries(Object.entries({ ...old, ...change }).filter(([, value]) => value !== null));
}

/** One list of targets: null clears it, as null for all of them does. */
function changedList(old: string[], change: Fields | null, list: string): string[] {
  if (change === null) return [];
  return change[list] === undefined ? old : (change[list] ?? []);
}

const isSame = (left: Fields, right: Fields) => JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));

/** With the fields of every object in one order, so that equal objects are written alike. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
