import type { Generation } from '../../functions/pmm/declarations/enums.ts';
import type { Route } from '../../functions/pmm/declarations/route.ts';
import { routes } from '../../functions/pmm/declarations/routes.ts';
import {
  type Components,
  componentsOf,
  found,
  integer,
  kinds,
  list,
  messagesOf,
  object,
  type Properties,
  type Schema,
  text,
} from './components.ts';
import { grafanaMessages } from './grafana-messages.ts';
import { managedMessages, registrationMessages, universalMessages } from './management-messages.ts';
import {
  agentMessages,
  type Context,
  empty,
  type Message,
  type Messages,
  objectMessages,
  serverMessages,
} from './messages.ts';

/** Ids that PMM 2 has in the body. */
const idFields: readonly (readonly [suffix: RegExp, name: string])[] = [
  [/Node(s|Labels)?$|^unregisterNode$/, 'node_id'],
  [/Service(Labels)?$/, 'service_id'],
  [/Agent(Logs)?$/, 'agent_id'],
];

const withIds = /^(get|change|remove|unregister)|ServiceLabels$/;

function idProperties({ operation }: Route): Properties {
  if (!withIds.test(operation) || operation === 'removeManagedService') return {};
  const name = idFields.find(([pattern]) => pattern.test(operation))?.[1];
  return name === undefined ? {} : { [name]: text };
}

const parameter = (name: string, where: 'path' | 'query', schema: Schema) => ({
  ...{ name, in: where, schema },
  ...(where === 'path' ? { required: true } : {}),
});

/** Method, path and generation as an id: `ListNodes`, `V2NodesList`. */
function operationId({ method, path, operation, generation, facade }: Route): string {
  if (generation === 3 || facade === 'keys')
    return path === '/v1/server/version'
      ? 'Version'
      : `${operation[0]?.toUpperCase() ?? ''}${operation.slice(1)}${operation === 'getReadiness' ? path.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()) : ''}`;
  const words = path.split('/').slice(path.startsWith('/v1/') ? 3 : 1);
  return `V2${method === 'GET' ? 'Get' : ''}${words.join('')}`;
}

const errorOf = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

function operationOf(route: Route, message: Message) {
  const { method, path, generation, summary, differs, role, status = 200 } = route;
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path', text));
  const { fields = {}, body, reply } = message;
  const isInBody = ['POST', 'PUT', 'PATCH'].includes(method);
  const own = generation === 2 ? { ...idProperties(route), ...fields } : fields;
  const inBody = isInBody ? own : {};
  const query = isInBody ? [] : Object.entries(fields).map(([name, schema]) => parameter(name, 'query', schema));
  const sent =
    Object.keys(inBody).length === 0
      ? (body ?? empty)
      : body === undefined
        ? object(inBody)
        : { allOf: [body, object(inBody)] };
  return {
    operationId: operationId(route),
    tags: [generation === 2 ? 'PMM 2' : 'PMM 3'],
    summary,
    ...(differs === undefined ? {} : { description: `Differs from PMM: ${differs}` }),
    ...(role === 'none' ? { security: [] } : {}),
    ...(params.length + query.length === 0 ? {} : { parameters: [...params, ...query] }),
    ...(isInBody ? { requestBody: { required: true, content: { 'application/json': { schema: sent } } } } : {}),
    responses: {
      [status]: { description: 'Done.', content: { 'application/json': { schema: reply } } },
      ...(role === 'none'
        ? { 400: errorOf('The request is malformed.') }
        : { 401: errorOf('The credentials are invalid.') }),
      default: errorOf('An error.'),
    },
  };
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** The schemas that the paths refer to, directly or through others, by name. */
function used(paths: unknown, schemas: ReadonlyMap<string, Schema>): Record<string, Schema> {
  const names = new Set<string>();
  const follow = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (names.has(name)) continue;
      names.add(name);
      follow(schemas.get(name) ?? {});
    }
  };
  follow(paths);
  return Object.fromEntries(
    [...schemas].filter(([name]) => names.has(name)).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

interface GenerationParts {
  components: Components;
  messages: Messages;
}

function generationOf(generation: Generation): GenerationParts {
  const components = componentsOf(generation);
  const context: Context = {
    ...{ generation, components },
    node: messagesOf(components, kinds.node),
    service: messagesOf(components, kinds.service),
    agent: messagesOf(components, kinds.agent),
  };
  const parts = [
    objectMessages,
    agentMessages,
    registrationMessages,
    managedMessages,
    universalMessages,
    serverMessages,
    grafanaMessages,
  ];
  return { components, messages: Object.fromEntries(parts.flatMap((part) => Object.entries(part(context)))) };
}

const messageOf = ({ messages }: GenerationParts, { operation, type }: Route): Message =>
  found(messages[operation])(type);

/** The document of the calls of PMM's clients, for `/swagger/pmm.json`. */
export function pmmOpenApi(version: string) {
  const generations = new Map(([3, 2] as const).map((generation) => [generation, generationOf(generation)] as const));
  const paths = new Map<string, Record<string, unknown>>();
  for (const route of routes.filter(({ operation }) => operation !== 'unimplemented')) {
    const item = paths.get(route.path) ?? {};
    item[route.method.toLowerCase()] = operationOf(route, messageOf(found(generations.get(route.generation)), route));
    paths.set(route.path, item);
  }
  const error = object({ error: text, message: text, code: integer, details: list({ type: 'object' }) });
  const schemas = new Map([
    ['Error', error] as const,
    ...[...generations.values()].flatMap(({ components }) => [...components.schemas]),
  ]);
  return {
    openapi: '3.0.3',
    info: {
      title: "Monitoring inventory for PMM's clients",
      version,
      description:
        'The inventory and management APIs of PMM 3 and PMM 2. Generated from the declarations of the service.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ Bearer: [] }, { Basic: [] }],
    tags: [
      { name: 'PMM 3', description: 'Calls of clients of PMM 3.' },
      { name: 'PMM 2', description: 'Calls of clients of PMM 2.' },
    ],
    paths: Object.fromEntries(paths),
    components: {
      schemas: used(Object.fromEntries(paths), schemas),
      securitySchemes: { Bearer: { type: 'http', scheme: 'bearer' }, Basic: { type: 'http', scheme: 'basic' } },
    },
  };
}
