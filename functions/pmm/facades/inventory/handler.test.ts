/** Each type of object through the calls of PMM 3, generated from the declarations. */
import { agentDeclaration, addableAgents, changeableAgents } from '../../declarations/agents.ts';
import { nodeDeclarations } from '../../declarations/nodes.ts';
import { serviceDeclarations } from '../../declarations/services.ts';
import { agentTypes } from '../../../domain/agent/types.ts';
import { nodeTypes } from '../../../domain/node/types.ts';
import { serviceTypes } from '../../../domain/service/types.ts';
import { nodeSample, serviceSample, shownOf, sampleOf, targetOf } from '../../../../tests/pmm/objects.ts';
import { CANARY, uniqueName } from '../../../../tests/pmm/pmm-client.ts';
import { startPmmInventory } from '../../../../tests/pmm/pmm-inventory.ts';

const { client } = await startPmmInventory();

const NODES = '/v1/inventory/nodes';
const SERVICES = '/v1/inventory/services';
const AGENTS = '/v1/inventory/agents';

const replyNames = (fields: readonly { reply?: string }[]) =>
  [...new Set(fields.flatMap(({ reply }) => reply ?? []))].sort();

const addedNode = async (type: (typeof nodeTypes)[number]) => {
  const { addKey = type } = nodeDeclarations[type];
  return (await client.post(NODES, { [addKey]: nodeSample(type) }))[type].node_id as string;
};

const addedService = async (type: (typeof serviceTypes)[number], nodeId: string) =>
  (await client.post(SERVICES, { [type]: serviceSample(type, nodeId) }))[type].service_id as string;

const host = async () => {
  const nodeId = await addedNode('generic');
  const { pmm_agent: agent } = await client.post(AGENTS, { pmm_agent: { runs_on_node_id: nodeId } });
  return { nodeId, pmmAgentId: agent.agent_id as string };
};

describe.each(nodeTypes)('a %s node', (type) => {
  const { fields, addKey = type } = nodeDeclarations[type];

  test('is added with all its fields, read, listed and removed', async () => {
    const sent = nodeSample(type);
    const added = await client.post(NODES, { [addKey]: sent });
    expect(Object.keys(added)).toEqual([type]);
    const node = added[type];
    expect(Object.keys(node).sort()).toEqual(replyNames(fields));
    expect(node).toMatchObject(shownOf(fields, sent));
    expect(await client.get(`${NODES}/${node.node_id}`)).toEqual(added);
    const all = await client.get(NODES);
    expect(Object.keys(all).sort()).toEqual([...nodeTypes].sort());
    expect(all[type]).toContainEqual(node);
    const enumName = `NODE_TYPE_${type.toUpperCase()}_NODE`;
    const ofType = await client.get(`${NODES}?node_type=${enumName}`);
    expect(ofType[type]).toContainEqual(node);
    for (const other of nodeTypes.filter((candidate) => candidate !== type)) expect(ofType[other]).toEqual([]);
    expect(await client.remove(`${NODES}/${node.node_id}`)).toEqual({});
    expect(await client.send('GET', `${NODES}/${node.node_id}`)).toMatchObject({
      status: 404,
      body: { code: 5, message: `Node with ID "${node.node_id}" not found.` },
    });
  });

  test('is refused with its first missing field, in field order', async () => {
    const required = fields.filter(({ isRequired }) => isRequired === true);
    const sent: Record<string, unknown> = {};
    for (const { add } of required) {
      const name = add!.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
      const subject = `Add${nodeDeclarations[type].title}NodeParams`;
      expect((await client.send('POST', NODES, { [addKey]: sent })).body).toEqual({
        code: 3,
        details: [],
        error: `invalid ${subject}.${name}: value length must be at least 1 runes`,
        message: `invalid ${subject}.${name}: value length must be at least 1 runes`,
      });
      sent[add!] = uniqueName('x');
    }
    expect((await client.send('POST', NODES, { [addKey]: sent })).status).toBe(200);
  });
});

describe.each(serviceTypes)('a %s service', (type) => {
  const { fields, title } = serviceDeclarations[type];

  test('is added with all its fields, read, listed, changed and removed', async () => {
    const nodeId = await addedNode('generic');
    const sent = serviceSample(type, nodeId);
    const added = await client.post(SERVICES, { [type]: sent });
    const service = added[type];
    expect(Object.keys(added)).toEqual([type]);
    expect(Object.keys(service).sort()).toEqual(replyNames(fields));
    expect(service).toMatchObject(shownOf(fields, sent));
    const path = `${SERVICES}/${service.service_id}`;
    expect(await client.get(path)).toEqual(added);
    const listed = await client.get(
      `${SERVICES}?node_id=${nodeId}&service_type=SERVICE_TYPE_${type.toUpperCase()}_SERVICE`,
    );
    expect(Object.keys(listed).sort()).toEqual([...serviceTypes].sort());
    expect(listed[type]).toEqual([service]);
    const { service_types: used } = await client.post(`${SERVICES}:getTypes`, {});
    expect(used).toContain(`SERVICE_TYPE_${type.toUpperCase()}_SERVICE`);
    const change = { environment: 'e2', cluster: '', custom_labels: { values: { other: 'x' } } };
    const changed = { ...service, environment: 'e2', cluster: '', custom_labels: { other: 'x' } };
    expect(await client.put(path, change)).toEqual({ [type]: changed });
    expect(await client.put(path, { custom_labels: {} })).toEqual({ [type]: { ...changed, custom_labels: {} } });
    expect(await client.remove(path)).toEqual({});
  });

  test('is refused with its first missing field, then for the address rule that it breaks', async () => {
    const send = async (body: object) => (await client.send('POST', SERVICES, { [type]: body })).body.message as string;
    const empty = (name: string) => `invalid Add${title}ServiceParams.${name}: value length must be at least 1 runes`;
    expect(await send({})).toBe(empty('ServiceName'));
    expect(await send({ service_name: 's' })).toBe(empty('NodeId'));
    if (!fields.some(({ native }) => native === 'socket')) return;
    const whole = { service_name: uniqueName('s'), node_id: uniqueName('missing') };
    expect(await send(whole)).toBe('Neither socket nor address passed.');
    expect(await send({ ...whole, address: 'a', socket: '/s' })).toBe(
      'Socket and address cannot be specified together.',
    );
    expect(await send({ ...whole, address: 'a', port: 0 })).toBe(
      'Port is expected to be passed along with the host address.',
    );
    expect(await send({ ...whole, socket: '/s', port: 1 })).toBe('Socket and port cannot be specified together.');
    expect(await send({ ...whole, socket: '/s' })).toBe(`Node with ID "${whole.node_id}" not found.`);
  });
});

describe.each(addableAgents)('a %s', (type) => {
  const { fields, title } = agentDeclaration(type);

  const sampled = async () => {
    const { nodeId, pmmAgentId } = await host();
    const target = targetOf(type);
    const sent = {
      ...sampleOf(fields),
      ...(fields.some(({ add }) => add === 'runs_on_node_id')
        ? { runs_on_node_id: nodeId }
        : { pmm_agent_id: pmmAgentId }),
      ...(target.service === undefined ? {} : { service_id: await addedService(target.service, nodeId) }),
      ...(target.node === undefined ? {} : { node_id: await addedNode(target.node) }),
    };
    return { sent, nodeId, pmmAgentId };
  };

  test('is added with all its fields, read, listed, changed and removed, and its credentials are stored nowhere', async () => {
    const { sent } = await sampled();
    const added = await client.post(AGENTS, { [type]: sent });
    const agent = added[type];
    expect(Object.keys(added)).toEqual([type]);
    expect(Object.keys(agent).sort()).toEqual(replyNames(fields));
    expect(agent).toMatchObject(shownOf(fields, sent));
    const path = `${AGENTS}/${agent.agent_id}`;
    expect(await client.get(path)).toEqual(added);
    const all = await client.get(AGENTS);
    expect(Object.keys(all).sort()).toEqual([...agentTypes].sort());
    expect(all[type]).toContainEqual(agent);
    if (changeableAgents.some((candidate) => candidate === type)) {
      expect(await client.put(path, { [type]: {} })).toEqual(added);
      // PMM has no status of an external exporter.
      const status = type === 'external_exporter' ? agent.status : 'AGENT_STATUS_DONE';
      const changed = { ...agent, disabled: true, status, custom_labels: {} };
      const canaries = Object.fromEntries(
        fields.flatMap(({ change, isCredential }) =>
          isCredential === true && change !== undefined ? [[change, CANARY]] : [],
        ),
      );
      const change = { enable: false, custom_labels: { values: {} }, ...canaries };
      expect(await client.put(path, { [type]: change })).toEqual({ [type]: changed });
      expect(await client.get(path)).toEqual({ [type]: changed });
    }
    expect(await client.remove(path)).toEqual({});
    expect(await client.send('GET', path)).toMatchObject({
      status: 404,
      body: { code: 5, message: `Agent with ID ${agent.agent_id} not found.` },
    });
  });

  test('is refused with its first missing field', async () => {
    const { sent } = await sampled();
    const required = fields.filter(({ isRequired }) => isRequired === true);
    const given: Record<string, unknown> = {};
    for (const { add, isUuid } of required) {
      const name = add!;
      const text = isUuid === true ? 'value must be a valid UUID' : 'value length must be at least 1 runes';
      const rule = name === 'listen_port' ? 'value must be inside range (0, 65536)' : text;
      const shown = name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
      const reply = await client.send('POST', AGENTS, { [type]: given });
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 3, message: `invalid Add${title}Params.${shown}: ${rule}` },
      });
      given[name] = (sent as Record<string, unknown>)[name];
    }
  });

  test('is refused under a missing pmm_agent and for a missing target', async () => {
    const { sent } = await sampled();
    const missing = '00000000-0000-4000-8000-000000000000';
    const references = {
      pmm_agent_id: `Agent with ID ${missing}`,
      runs_on_node_id: `Node with ID "${missing}"`,
      service_id: `Service with ID "${missing}"`,
      node_id: `Node with ID "${missing}"`,
    };
    for (const [name, subject] of Object.entries(references)) {
      if (!Object.hasOwn(sent, name)) continue;
      const reply = await client.send('POST', AGENTS, { [type]: { ...sent, [name]: missing } });
      expect([name, reply.status, reply.body.message]).toEqual([name, 404, `${subject} not found.`]);
    }
  });
});
