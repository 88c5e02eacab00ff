import { randomUUID } from 'node:crypto';
import { endpoints } from '../../functions/api/endpoints.ts';
import { facade as logOut } from '../../functions/identity/log-out/contract.ts';
import { facade as opamp } from '../../functions/opamp/exchange/contract.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { type Cost, costs, textOfCalls } from './costs.ts';
import { eventOf, openInvocations } from './invocation.ts';
import { type CostMeasurement, measureCosts } from './measured.ts';
import { type Meter, meter, type TableCall } from './meter.ts';

let measured: CostMeasurement[];

beforeAll(async () => {
  measured = await measureCosts();
});

const nameOf = ({ function: id, request }: Pick<Cost, 'function' | 'request'>) => `${id}: ${request}`;

function madeBy(id: string, request: string) {
  const cost = measured.find((cost) => cost.function === id && cost.request === request);
  if (cost === undefined) throw new Error(`not measured: ${id}, ${request}`);
  return cost.made;
}

describe('stated costs', () => {
  test.each(costs.map((cost) => [nameOf(cost), cost] as const))('%s', (name, stated) => {
    const measuredCosts = measured.filter((cost) => nameOf(cost) === name);
    const [units, expected] = [measuredCosts[0]?.readUnits ?? NaN, stated.readUnits];
    // Spread over partitions at random, and what is read of each is rounded up.
    const isSpread =
      ['cleanUp', 'countGroups', 'listClusters', 'getSummary', 'stateEvents'].includes(stated.function) ||
      stated.request.startsWith('of a state');
    const isNear = Math.abs(units - expected) <= stated.calls.length / 2;
    const readUnits = isSpread && isNear ? expected : units;
    const isChained = ['reconcile', 'getSummary'].includes(stated.function);
    const inOrder = (calls: readonly string[]) => (isChained ? calls.toSorted() : calls);
    // Chains of calls side by side: which of them waited for which depends on which was answered first.
    const chained = { steps: expect.any(Number) };
    expect(measuredCosts.map(({ made, ...cost }) => ({ ...cost, calls: inOrder(cost.calls), readUnits }))).toEqual([
      { ...stated, calls: inOrder(stated.calls), ...(isChained ? chained : {}) },
    ]);
    if (isChained)
      for (const { steps } of measuredCosts)
        expect(Math.abs(steps - stated.steps)).toBeLessThanOrEqual(stated.steps / 2);
  });

  test('have a row for each measured request, and a measured request for each row and function', () => {
    const isNeither = (left: readonly Cost[], right: Cost) => !left.some((cost) => nameOf(cost) === nameOf(right));
    const rowOf = ({ function: id, request, calls, steps, readUnits, writeUnits, refusedUnits }: Cost) => {
      const units = [readUnits, writeUnits, ...(refusedUnits === 0 ? [] : [refusedUnits])];
      return `['${id}', '${request}', '${textOfCalls(calls)}', ${steps}, ${units.join(', ')}],`;
    };
    const unstated = measured.filter((cost) => isNeither(costs, cost));
    const unmeasured = costs.filter((cost) => isNeither(measured, cost));
    const functions = [...endpoints.map(({ id }) => id), opamp.id, logOut.id, 'authorizer', 'catchAll', 'stateEvents'];
    expect([
      ...unstated.map((cost) => `tests/costs/costs.ts: write in \`rows\`: ${rowOf(cost)}`),
      ...unmeasured.map((cost) => `tests/costs/measured.ts: measure "${nameOf(cost)}"`),
      ...functions
        .filter((id) => ![...measured, ...costs].some((cost) => cost.function === id))
        .map((id) => `tests/costs/measured.ts: write \`await ask('${id}', <request>, { method, url, body })\``),
    ]).toEqual([]);
    const stated = costs.map((cost) => cost.function);
    expect(stated.filter((id) => !functions.includes(id))).toEqual([]);
    expect(measured).toHaveLength(costs.length);
  });
});

/** The calls for nothing but heartbeats. */
const heartbeatsIn = (made: readonly TableCall[]) =>
  made.filter(({ operation, input }) =>
    operation === 'BatchGetItem'
      ? Object.values<any>(input['RequestItems'] as object).every(({ Keys }) =>
          Keys.every(({ pk }: { pk: string }) => pk.startsWith('HEARTBEATS#')),
        )
      : false,
  );

const isCountOfRefusals = (input: Record<string, any>) => input['Key']?.pk === 'AUDIT#REFUSED';

/** The table of design.md section 3. */
describe('the limits of the design', () => {
  const costsOf = (id: RegExp, request = /(?:)/) => {
    const matching = costs.filter((cost) => id.test(cost.function) && request.test(cost.request));
    expect(matching.length).toBeGreaterThan(0);
    return matching;
  };
  const ofRelation = /of a (node|region|cluster)|that run|under|insight|^selector/;

  test('authorise: strongly consistent reads by primary key, of keys never in a shared partition', () => {
    for (const request of ['a key', 'a key that nobody has', 'a user with a password']) {
      const calls = madeBy('authorizer', request).filter(({ input }) => !isCountOfRefusals(input));
      // It could be that of a session.
      expect(calls).toHaveLength(request === 'a key that nobody has' ? 2 : 1);
      for (const call of calls) {
        expect(call).toMatchObject({
          operation: 'GetItem',
          input: { ConsistentRead: true, Key: { pk: expect.any(String), sk: expect.any(String) } },
        });
        expect(Object.keys(call.input)).not.toContain('IndexName');
      }
    }
  });

  test('authorise: the use of a key is recorded after the decision, at most every five minutes', () => {
    const calls = madeBy('authorizer', 'a key, first use in five minutes').map(({ operation }) => operation);
    expect(calls).toEqual(['GetItem', 'UpdateItem']);
    expect(madeBy('authorizer', 'a key')).toHaveLength(1);
  });

  test('authorise: a session is searched after the API keys, with one read of its account', () => {
    const calls = madeBy('authorizer', 'a session').map(({ input }) => input);
    const partitions = calls.map(({ Key }) => (Key as { pk: string }).pk.split('#')[0]);
    expect(partitions).toEqual(['KEY', 'SESSION', 'ACCOUNT']);
    expect(calls.map(({ ConsistentRead }) => ConsistentRead)).toEqual([true, true, true]);
  });

  test('authorise: a malformed key is counted without a lookup', () => {
    expect(madeBy('authorizer', 'a malformed key').filter(({ input }) => !isCountOfRefusals(input))).toEqual([]);
    expect(madeBy('authorizer', 'no credentials')).toEqual([]);
  });

  test('repeated refusals of a caller share writes', () => {
    for (const { request, writeUnits } of costsOf(/^(authorizer|listAudit)$/, /again in the same second/))
      expect([request, writeUnits]).toEqual([request, 0]);
  });

  test('feed and audit: at most two write units for each change of an object or key, and none otherwise', () => {
    const records = (id: string) =>
      measured
        .filter((cost) => cost.function === id)
        .flatMap(({ made }) => made)
        .flatMap(({ input }) => (input['TransactItems'] ?? []) as { Put?: { Item: Record<string, any> } }[])
        .flatMap(({ Put }) => (/^(CHANGE|AUDIT)#/.test(Put?.Item['pk'] ?? '') ? [Put!.Item] : []));
    const once = ['addApiKey', 'rotateApiKey', 'rotateOwnApiKey', 'changeApiKey', 'removeApiKey'];
    const tokens = ['addEnrolmentToken', 'removeEnrolmentToken', 'addSession', 'endSession', 'removeSession'];
    for (const id of [...once, ...tokens])
      expect([id, records(id).map(({ pk }) => pk)]).toEqual([id, ['AUDIT#ACCESS']]);
    // The node; the token that was used, and the key that was made.
    expect(records('enrolNode').map(({ pk }) => String(pk).split('#')[0])).toEqual(['AUDIT', 'CHANGE', 'AUDIT']);
    for (const { id } of endpoints)
      for (const { pk, fields, ...item } of records(id))
        // Up to 1 KB is one unit, two in a transaction.
        expect([id, pk, JSON.stringify(item).length + Number(fields?.length ?? 0) <= 1024]).toEqual([id, pk, true]);
  });

  test('a rate limit: one write first, and none for a key without a limit', () => {
    const limited = madeBy('getNode', 'a node, with a key that has a rate limit');
    const plain = madeBy('getNode', 'a node');
    expect(limited.map(({ operation }) => operation)).toEqual([
      'UpdateItem',
      ...plain.map(({ operation }) => operation),
    ]);
  });

  test('get by id: one strongly consistent read, and one of the heartbeat', () => {
    for (const { function: id, request, steps } of costsOf(/^get(Service|Agent)$/, /^((?!rate limit).)*$/)) {
      const [object, heartbeat, ...more] = madeBy(id, request);
      expect(object).toMatchObject({ operation: 'GetItem', input: { ConsistentRead: true } });
      expect(heartbeatsIn([heartbeat!])).toHaveLength(1);
      expect([id, steps, more]).toEqual([id, 2, []]);
    }
  });

  test('get a node: one strongly consistent read of it and of its heartbeat', () => {
    const [both, ...more] = madeBy('getNode', 'a node');
    const [{ ConsistentRead, Keys }] = Object.values<any>(both!.input['RequestItems'] as object) as [any];
    expect([both!.operation, ConsistentRead, more]).toEqual(['BatchGetItem', true, []]);
    expect(Keys.map(({ pk }: { pk: string }) => pk.split('#')[0])).toEqual(['NODE', 'HEARTBEATS']);
  });

  test('list page, also filtered by type: one query; with states one more, of heartbeats', () => {
    const pages = costsOf(/^list(Nodes|Services|Agents)$/).filter(
      ({ request }) =>
        !ofRelation.test(request) && !/first page|of a state|updated since|^(region|cluster): /.test(request),
    );
    const withStates = pages.filter(({ request }) => request.endsWith('with their states'));
    expect([withStates.length, pages.length > 10]).toEqual([3, true]);
    for (const { function: id, request, calls } of pages) {
      const more = request.endsWith('with their states') ? ['BatchGetItem'] : [];
      expect([request, calls]).toEqual([request, ['Query', ...more]]);
      expect(heartbeatsIn(madeBy(id, request))).toHaveLength(more.length);
    }
  });

  test('a list without states reads no heartbeats', () => {
    for (const { function: id, request } of costsOf(/^list(Nodes|Services|Agents)$/, /^(?!.*(states|of a state)).*$/))
      expect([request, heartbeatsIn(madeBy(id, request))]).toEqual([request, []]);
  });

  test('list by state: the heartbeats and the objects in that state, at most a page', () => {
    const pages = costsOf(/^list(Nodes|Services|Agents)$/, /of a state/);
    expect(pages).toHaveLength(4);
    for (const { function: id, request, readUnits } of pages) {
      const made = madeBy(id, request);
      // Never a list of all.
      for (const { input } of made) expect([request, input['IndexName']]).toEqual([request, undefined]);
      const ofHeartbeats = made.filter(({ input }: { input: any }) =>
        String(input['ExpressionAttributeValues']?.[':pk']).startsWith('HEARTBEATS#'),
      );
      expect(ofHeartbeats).toHaveLength(16);
      const heartbeats = ofHeartbeats.reduce((sum, { units }) => sum + units, 0);
      // One object, and the edge that leads to it.
      expect(readUnits - heartbeats).toBeLessThanOrEqual(3);
    }
  });

  test('a heartbeat is one write unit in an unindexed item, and a report without news writes nothing', () => {
    const [steady, ...others] = costsOf(/^reportAgents$/)
      .filter(({ request }) => !request.includes('digest'))
      .toSorted((left, right) => left.steps - right.steps);
    expect(steady).toMatchObject({ request: 'what it said last', writeUnits: 0 });
    for (const other of others) expect(other).toMatchObject({ steps: 3, writeUnits: 1 });
    for (const { made } of measured.filter((cost) => cost.function === 'reportAgents'))
      for (const { operation, input } of made)
        if (operation === 'UpdateItem') {
          const { pk, sk, ...more } = input['Key'] as Record<string, string>;
          expect([pk, sk, more]).toEqual([expect.stringMatching(/^HEARTBEATS#/), expect.any(String), {}]);
          expect(JSON.stringify(input['UpdateExpression'])).not.toMatch(/list_|type_/);
        }
  });

  test("the digest of a host's targets costs a bounded number of reads, on request only", () => {
    const [plain] = costsOf(/^reportAgents$/).filter(({ request }) => request === 'what it said last');
    const [asked] = costsOf(/^reportAgents$/).filter(({ request }) => request.includes('digest'));
    expect(asked).toMatchObject({ writeUnits: 0, readUnits: Number(plain?.readUnits) + 3 });
  });

  test('list by relation: at most two steps', () => {
    for (const { steps } of costsOf(/^list/, ofRelation)) expect(steps).toBeLessThanOrEqual(2);
  });

  test('list by a value of related objects: at most three steps', () => {
    const relatedLists = costsOf(/^list/, /^(region|cluster): /);
    expect(relatedLists.length).toBeGreaterThan(0);
    for (const { steps } of relatedLists) expect(steps).toBeLessThanOrEqual(3);
  });

  test('list by selector: at most two steps, and no more objects than match the rarest label', () => {
    const selective = costsOf(/^list(Nodes|Services|Agents)$/, /^selector: (a|an|10) (?!label with any)/);
    expect(selective.length).toBeGreaterThan(7);
    for (const { steps, function: id, request } of selective) {
      expect([request, steps <= 2]).toEqual([request, true]);
      // Never a list of all: what is looked up is read by primary key.
      for (const { input } of madeBy(id, request)) expect([request, input['IndexName']]).toEqual([request, undefined]);
    }
  });

  test('add: one transaction; for an agent under a pmm_agent one read before it, for a session one of the present ones, for a user, a role binding, a silence and a saved filter also one of the number of additions, so that the limit is exact; a silence reads up to the first object that it matches', () => {
    for (const { calls, function: id, request } of costsOf(/^add/)) {
      const isLimited = ['addSilence', 'addSavedFilter', 'addUser', 'addRoleBinding'].includes(id);
      const ofPresent = request === 'a session' ? ['Query'] : isLimited ? ['GetItem', 'Query'] : [];
      const ofMatch = id === 'addSilence' ? ['Query', 'Query', 'Query', 'BatchGetItem'] : [];
      const before = request.startsWith('under a pmm_agent') ? ['GetItem'] : ofPresent;
      expect(calls).toEqual([...ofMatch, ...before, 'TransactWriteItems']);
    }
  });

  test('change: at most two steps, and for a pin also the read of the number of additions', () => {
    for (const { steps, request } of costsOf(/^change/)) expect(steps).toBeLessThanOrEqual(request === 'a pin' ? 3 : 2);
  });

  test('upsert: unchanged at most two reads and no write; added or changed as an add or a change, with at most two reads', () => {
    const isRead = (call: string) => call !== 'TransactWriteItems' && call !== 'PutItem';
    const split = ({ calls }: Cost) => ({
      reads: calls.filter(isRead).length,
      writes: calls.length - calls.filter(isRead).length,
    });
    for (const kind of ['Node', 'Service', 'Agent']) {
      const [unchanged] = costsOf(new RegExp(`^upsert${kind}$`), /^unchanged$/);
      // What is said of an agent is a part of it, and read along.
      const second = kind === 'Agent' ? 'BatchGetItem' : 'GetItem';
      expect(unchanged).toMatchObject({ calls: ['GetItem', second], writeUnits: 0 });
      const others = costsOf(new RegExp(`^upsert${kind}$`), /^(?!unchanged)/);
      expect(others.length).toBeGreaterThan(1);
      for (const other of others) {
        // An agent under a pmm_agent costs one read before its transaction, a change the read of the present object.
        const readsBefore = /^added(?!.*pmm_agent)/.test(other.request) ? 0 : 1;
        expect([other.request, split(other).writes]).toEqual([other.request, 1]);
        expect(split(other).reads).toBeLessThanOrEqual(readsBefore + 2 + (/by POST/.test(other.request) ? 1 : 0));
      }
    }
    // What was found by its key is changed after the two reads that found it.
    for (const { function: id, calls } of costsOf(/^upsert/, /^(changed|moved)/))
      expect(calls.slice(0, -1)).toEqual(['GetItem', id === 'upsertAgent' ? 'BatchGetItem' : 'GetItem']);
  });

  test('an Idempotency-Key costs no additional call, first or repeated', () => {
    const [plain, keyed, again] = ['a node', 'with an Idempotency-Key', 'with an Idempotency-Key, again'].map(
      (request) => costsOf(/^addNode$/, new RegExp(`^${request}$`))[0]!.calls,
    );
    expect([keyed, again]).toEqual([plain, plain]);
  });

  test('remove a leaf: at most two steps', () => {
    for (const { steps } of costsOf(/^remove(Node|Service|Agent|ApiKey)$/, /a leaf|a key/))
      expect(steps).toBeLessThanOrEqual(2);
  });

  test('no scan, and no decision from an index: changes read by primary key', () => {
    // How large the inventory is, which the safety threshold of a cleanup reads, need not be of this moment.
    const isSize = (input: Record<string, any>) => input['Select'] === 'COUNT';
    for (const { made, function: id } of measured) {
      for (const { operation, input } of made) {
        expect(operation).not.toBe('Scan');
        if (!/^(list|discover|export|countGroups|getSummary)/.test(id) && !isSize(input))
          expect([id, input['IndexName']]).toEqual([id, undefined]);
      }
    }
  });

  test('functions without table access make no calls, and readers write nothing', () => {
    for (const { id, access } of endpoints) {
      // A limit of the key is counted in the pipeline, before the endpoint's own work.
      // So is what it refuses.
      const ownCosts = costs.filter((cost) => cost.function === id && !/rate limit|refused/.test(cost.request));
      if (access === 'none') expect([id, ownCosts.flatMap(({ calls }) => calls)]).toEqual([id, []]);
      if (access === 'read')
        expect([id, ownCosts.map(({ writeUnits }) => writeUnits)]).toEqual([id, ownCosts.map(() => 0)]);
    }
  });
});

describe('the cost of a page', () => {
  let inventory: Inventory;
  let count: Meter;

  const COMMON = 120;
  const RARE = 4;

  beforeAll(async () => {
    inventory = await startInventory();
    count = meter(inventory.table);
    // The rare ones lie among the common ones, near the end of the list.
    const names = [
      ...Array.from({ length: COMMON }, (_, index) => ['generic', `n-${String(index).padStart(4, '0')}`]),
      ...Array.from({ length: RARE }, (_, index) => ['remote', `n-0${index + 110}-rare`]),
    ];
    // One after the other: a busy machine would refuse this number of concurrent requests with 503.
    for (const [type, name] of names) {
      const body = { node_type: type, node_name: name, address: '10.0.0.1' };
      expect((await inventory.request('POST', '/v1/nodes', { body })).status).toBe(201);
    }
  });

  afterAll(() => inventory.stop());

  async function pages(query: string) {
    const { invoke } = await openInvocations(inventory.dependencies);
    const pages: { nodes: number; calls: number; units: number }[] = [];
    let token: string | undefined;
    // The one read of the secret in the life of a process.
    await invoke('listNodes', eventOf({ method: 'GET', url: '/v1/nodes?page_size=1' }));
    do {
      const url = `/v1/nodes?${query}${token === undefined ? '' : `&page_token=${token}`}`;
      let body: { nodes: unknown[]; next_page_token?: string } = { nodes: [] };
      const calls = await count.during(async () => {
        body = JSON.parse((await invoke('listNodes', eventOf({ method: 'GET', url }))).body) as typeof body;
      });
      pages.push({
        nodes: body.nodes.length,
        calls: calls.length,
        units: calls.reduce((sum, { units }) => sum + units, 0),
      });
      token = body.next_page_token;
    } while (token !== undefined);
    return pages;
  }

  test.each([
    ['', 1],
    ['&include=state', 2],
  ])('does not depend on its depth %s', async (query, calls) => {
    const [first, ...others] = (await pages(`page_size=20${query}`)).slice(0, 5);
    expect(first).toMatchObject({ nodes: 20, calls });
    expect(others).toHaveLength(4);
    for (const other of others) expect(other).toEqual(first);
  });

  test('of an export does not depend on its depth', async () => {
    const { invoke } = await openInvocations(inventory.dependencies);
    const costs: { objects: number; calls: number; units: number }[] = [];
    let token = '';
    await invoke('exportInventory', eventOf({ method: 'GET', url: '/v1/export?page_size=1' }));
    do {
      let text = '';
      const calls = await count.during(async () => {
        text = (await invoke('exportInventory', eventOf({ method: 'GET', url: `/v1/export?page_size=20${token}` })))
          .body;
      });
      const lines = text.trim().split('\n');
      const { next_page_token: next } = JSON.parse(lines.at(-1)!) as { next_page_token?: string };
      costs.push({
        objects: lines.length - 1,
        calls: calls.length,
        units: calls.reduce((sum, { units }) => sum + units, 0),
      });
      token = next === undefined ? '' : `&page_token=${next}`;
    } while (token !== '');
    expect(costs.reduce((sum, { objects }) => sum + objects, 0)).toBe(COMMON + RARE);
    const [first, ...others] = costs.slice(0, 5);
    expect(first).toMatchObject({ objects: 20, calls: 1 });
    for (const other of others) expect(other).toEqual(first);
  });

  test('for a selector with a rare label is one read of the rare objects', async () => {
    const body = {
      node_type: 'generic',
      node_name: 'n-0115-labelled',
      address: 'a',
      custom_labels: { rare: 'x', all: 'x' },
    };
    expect((await inventory.request('POST', '/v1/nodes', { body })).status).toBe(201);
    for (const selector of ['rare=x', 'rare=x,all=x', 'rare=x,!other', 'rare in (x,y)']) {
      const query = `page_size=20&selector=${encodeURIComponent(selector)}`;
      const [page, ...more] = await pages(query);
      expect(more).toEqual([]);
      expect(page).toMatchObject({ nodes: 1 });
      // A key or two of each partition, and the one object.
      expect(page!.units).toBeLessThanOrEqual(5);
    }
  });

  test('does not depend on the rarity of the filter', async () => {
    const rare = 'page_size=100&node_type=remote';
    expect(await pages(rare)).toEqual([{ nodes: RARE, calls: 1, units: 0.5 }]);
    expect(await pages(`${rare}&include=state`)).toEqual([{ nodes: RARE, calls: 2, units: 0.5 + RARE * 0.5 }]);
    expect(await pages(`page_size=100&name_prefix=${randomUUID()}`)).toEqual([{ nodes: 0, calls: 1, units: 0.5 }]);
  });
});
