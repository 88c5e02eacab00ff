/** What docs/versioning.md promises, held against changes of the real document: what breaks a client, and what may come. */
import { endpoints } from '../functions/api/endpoints.ts';
import { inventoryDocument } from '../functions/openapi/document.ts';
import { describeInFull } from '../shared/testing/extent.ts';
import { breakingChanges, releasedSchema } from '../tools/breaking-changes.ts';
import { currentDocument } from '../tools/generate.ts';
import { releasedDocument } from '../tools/record-release.ts';

/** Changes a copy of the document; the field names are those of OpenAPI. */
type Change = (document: any, schemas: any) => void;

const document = inventoryDocument('1.2.3');

function changed(...changes: readonly Change[]): any {
  const copy = structuredClone(document);
  for (const change of changes) {
    const before = JSON.stringify(copy);
    change(copy, copy.components.schemas);
    if (JSON.stringify(copy) === before) throw new Error(`this changes nothing: ${change.toString()}`);
  }
  return copy;
}

const breakages = (before: any, after: any, now?: Date) => breakingChanges(releasedSchema.parse(before), after, now);

const without = (list: string[], name: string) => list.splice(list.indexOf(name), 1);
const parameter = (operation: any, name: string) =>
  operation.parameters.find((candidate: any) => candidate.name === name);

test('the present document keeps all promises of the last release', async () => {
  expect(await breakingChanges(await releasedDocument(), await currentDocument())).toEqual([]);
});

function becomesPattern({ schema }: any, pattern: string): void {
  delete schema.enum;
  schema.pattern = pattern;
}

const breaking: [name: string, finding: RegExp, change: Change][] = [
  ['a path is gone', /services~1types path-removed/, ({ paths }) => delete paths['/v1/services/types']],
  ['an operation is gone', /delete operation-removed/, ({ paths }) => delete paths['/v1/nodes/{node_id}'].delete],
  [
    'an operation has another id',
    /operation-id-changed/,
    ({ paths }) => (paths['/v1/nodes'].get.operationId = 'nodes'),
  ],
  ['a status is gone', /404 response-removed/, ({ paths }) => delete paths['/v1/nodes/{node_id}'].get.responses[404]],
  [
    'a success has another status',
    /201|200 response-removed/,
    ({ paths }) => {
      const { responses } = paths['/v1/nodes'].post;
      responses[200] = responses[201];
      delete responses[201];
    },
  ],
  [
    'a header of a reply is gone',
    /ETag response-header-removed/,
    ({ paths }) => delete paths['/v1/nodes/{node_id}'].get.responses[200].headers.ETag,
  ],
  [
    'If-Match is no longer taken',
    /parameter-removed/,
    ({ paths }) => paths['/v1/nodes/{node_id}'].delete.parameters.pop(),
  ],
  ['a query parameter is gone', /parameter-removed/, ({ paths }) => paths['/v1/nodes'].get.parameters.shift()],
  [
    'a query parameter is new and required',
    /parameter-became-required/,
    ({ paths }) =>
      paths['/v1/nodes'].get.parameters.push({ name: 'zone', in: 'query', required: true, schema: { type: 'string' } }),
  ],
  [
    'a query parameter takes fewer values',
    /enum-values-removed/,
    ({ paths }) => parameter(paths['/v1/nodes'].get, 'node_type').schema.enum.pop(),
  ],
  [
    'a query parameter takes a pattern that one of its values does not match',
    /`pattern` was set/,
    ({ paths }) => becomesPattern(parameter(paths['/v1/nodes'].get, 'node_type'), 'generic|container'),
  ],
  [
    'a query parameter has a lower maximum',
    /Upper bound/,
    ({ paths }) => (parameter(paths['/v1/nodes'].get, 'page_size').schema.maximum = 500),
  ],
  [
    'a query parameter has another default',
    /default:/,
    ({ paths }) => (parameter(paths['/v1/nodes'].get, 'page_size').schema.default = 10),
  ],
  [
    'a body is no longer JSON',
    /media-type-removed/,
    ({ paths }) => {
      const { content } = paths['/v1/nodes'].post.requestBody;
      content['application/xml'] = content['application/json'];
      delete content['application/json'];
    },
  ],
  [
    'an optional field of a request is required',
    /required-properties-added/,
    (_, { Add_generic_node }) => Add_generic_node.required.push('region'),
  ],
  ['a field of a request is gone', /region/, (_, { Add_generic_node }) => delete Add_generic_node.properties.region],
  [
    'a field of a request has another type',
    /schema-type-changed/,
    (_, { Add_mysql_service }) => (Add_mysql_service.properties.port.type = 'string'),
  ],
  [
    'a field of a request has a lower maximum',
    /Upper bound/,
    (_, { Add_mysql_service }) => (Add_mysql_service.properties.port.maximum = 1000),
  ],
  [
    'a field of a request has a higher minimum',
    /Lower bound/,
    (_, { Add_mysql_service }) => (Add_mysql_service.properties.port.minimum = 1024),
  ],
  [
    'a field of a request must be longer',
    /`minLength`/,
    (_, { Add_generic_node }) => (Add_generic_node.properties.address.minLength = 2),
  ],
  [
    'a field of a request must follow a pattern',
    /`pattern`/,
    (_, { Add_generic_node }) => (Add_generic_node.properties.region.pattern = '^[a-z]+$'),
  ],
  [
    'a field of a request takes fewer values',
    /enum-values-removed/,
    (_, { Add_api_key }) => Add_api_key.properties.role.enum.pop(),
  ],
  [
    'a field of a request has another default',
    /default:/,
    (_, { Add_mysqld_exporter }) => (Add_mysqld_exporter.properties.disabled.default = true),
  ],
  [
    'a field of a request has another list as its default',
    /default:/,
    (_, { Add_mysql_service }) => (Add_mysql_service.properties.node_ids.default = ['local']),
  ],
  [
    'a field of a request that refers to a schema has another default',
    /default:/,
    (_, { Add_generic_node }) => (Add_generic_node.properties.custom_labels.default = { team: 'none' }),
  ],
  [
    'a field of a change can no longer be cleared',
    /schema-type-changed/,
    (_, { Change_node }) => (Change_node.properties.region.type = 'string'),
  ],
  [
    'what requests and replies share is narrower',
    /`maxLength`/,
    (_, { Labels }) => (Labels.additionalProperties.maxLength = 10),
  ],
  [
    'a type can no longer be added',
    /oneOf\/\d schema-combinator-changed/,
    (_, { Add_node: { oneOf, discriminator } }) => {
      oneOf.pop();
      delete discriminator.mapping.remote_azure_database;
    },
  ],
  [
    'a type has another name',
    /`const`/,
    (_, { Node, Add_node, generic_node, Add_generic_node }) => {
      for (const { mapping } of [Node.discriminator, Add_node.discriminator]) {
        mapping.plain = mapping.generic;
        delete mapping.generic;
      }
      for (const { properties } of [generic_node, Add_generic_node]) properties.node_type.const = 'plain';
    },
  ],
  [
    'another field tells the types apart',
    /propertyName:/,
    (_, { Node }) => (Node.discriminator.propertyName = 'node_model'),
  ],
  ['a field of a reply is gone', /property-removed/, (_, { generic_node }) => delete generic_node.properties.region],
  [
    'a field of a reply may be absent',
    /required-properties-removed/,
    (_, { generic_node }) => without(generic_node.required, 'node_name'),
  ],
  [
    'a field of a reply has another type',
    /schema-type-changed/,
    (_, { mysql_service }) => (mysql_service.properties.port.type = 'string'),
  ],
  [
    'a field of a reply may be null',
    /schema-type-changed/,
    (_, { generic_node }) => (generic_node.properties.node_name.type = ['string', 'null']),
  ],
  [
    'a time in a reply is only a day',
    /`format`/,
    (_, { generic_node }) => (generic_node.properties.created_at.format = 'date'),
  ],
  [
    'a field of the errors is gone',
    /property-removed/,
    (_, { Error }) => {
      delete Error.properties.error;
      without(Error.required, 'error');
    },
  ],
  ['Basic is no longer good', /security-requirement-changed/, (whole) => whole.security.pop()],
  [
    'an operation no longer takes keys',
    /security-requirement-changed/,
    ({ paths }) => (paths['/v1/nodes'].get.security = [{ Basic: [] }]),
  ],
  ['an operation takes a higher role', /x-role:/, ({ paths }) => (paths['/v1/nodes'].get['x-role'] = 'Editor')],
  [
    'an operation refuses a role that sufficed for some requests',
    /x-lower-role:/,
    ({ paths }) => delete paths['/v1/reconcile'].post['x-lower-role'],
  ],
  [
    'an operation that was open takes credentials',
    /x-role:/,
    ({ paths }) => {
      paths['/v1/readyz'].get['x-role'] = 'Viewer';
      delete paths['/v1/readyz'].get.security;
    },
  ],
  [
    'an operation is closed to Registrars',
    /x-registrar:/,
    ({ paths }) => delete paths['/v1/nodes/{node_id}'].get['x-registrar'],
  ],
  [
    'an operation admits fewer kinds of caller',
    /x-callers:/,
    ({ paths }) => (paths['/v1/nodes'].get['x-callers'] = 'session user'),
  ],
];

// A comparison takes two seconds of CPU.
describeInFull('a breaking change is noticed:', () => {
  test.concurrent.each(breaking)('%s', async (_, finding, change) => {
    expect(await breakages(document, changed(change))).toContainEqual(expect.stringMatching(finding));
  });
});

const additive: [name: string, change: Change][] = [
  [
    'an operation is new, on a path of its own',
    ({ paths }) => {
      paths['/v1/zones'] = { get: { ...structuredClone(paths['/v1/nodes'].get), operationId: 'listZones' } };
    },
  ],
  [
    'an operation is new, on a path that is known',
    ({ paths }) => (paths['/v1/nodes'].put = { ...structuredClone(paths['/v1/nodes'].post), operationId: 'putNode' }),
  ],
  [
    'a query parameter is new',
    ({ paths }) => paths['/v1/nodes'].get.parameters.unshift({ name: 'zone', in: 'query', schema: { type: 'string' } }),
  ],
  [
    'a query parameter takes more values',
    ({ paths }) => parameter(paths['/v1/nodes'].get, 'node_type').schema.enum.push('vm'),
  ],
  [
    'a query parameter takes several of its values',
    ({ paths }) => {
      const { schema } = parameter(paths['/v1/nodes'].get, 'node_type');
      const alternatives = `(${schema.enum.join('|')})`;
      becomesPattern({ schema }, `^${alternatives}(,${alternatives})*$`);
    },
  ],
  [
    'a query parameter has a higher maximum',
    ({ paths }) => (parameter(paths['/v1/nodes'].get, 'page_size').schema.maximum = 5000),
  ],
  [
    'an optional field of a request is new',
    (_, { Add_generic_node }) => (Add_generic_node.properties.zone = { type: 'string', default: 'none' }),
  ],
  [
    'a field of a request is no longer required',
    (_, { Add_generic_node }) => without(Add_generic_node.required, 'address'),
  ],
  [
    'a field of a request and of replies may be longer',
    (_, { Add_generic_node, generic_node }) => {
      for (const { properties } of [Add_generic_node, generic_node]) properties.node_name.maxLength = 1000;
    },
  ],
  [
    'a field of a request and of replies may be shorter',
    (_, { Add_generic_node, generic_node }) => {
      for (const { properties } of [Add_generic_node, generic_node]) properties.address.minLength = 0;
    },
  ],
  ['what requests and replies share is wider', (_, { Labels }) => (Labels.maxProperties = 128)],
  ['a number in a reply has no maximum', (_, { mysql_service }) => delete mysql_service.properties.port.maximum],
  [
    'a field of a reply is new',
    (_, { generic_node }) => {
      generic_node.properties.zone = { type: 'string' };
      generic_node.required.push('zone');
    },
  ],
  ['a field of a reply is always there', (_, { generic_node }) => generic_node.required.push('region')],
  ['an enum in a reply has one value more', (_, { Error }) => Error.properties.status.enum.push('ABORTED')],
  [
    'a type is new',
    (_, schemas) => {
      for (const [union, model, name] of [
        ['Node', 'generic_node', 'vm'],
        ['Add_node', 'Add_generic_node', 'Add_vm'],
      ] as const) {
        const $ref = `#/components/schemas/${name}`;
        schemas[name] = structuredClone(schemas[model]);
        schemas[name].properties.node_type.const = 'vm';
        schemas[union].oneOf.push({ $ref });
        schemas[union].discriminator.mapping.vm = $ref;
      }
    },
  ],
  [
    'a status is new',
    ({ paths }) => (paths['/v1/nodes'].post.responses[412] = { $ref: '#/components/responses/revisionMismatch' }),
  ],
  [
    'a header of a reply is new',
    ({ paths }) => (paths['/v1/nodes'].post.responses[201].headers.Age = { schema: { type: 'integer' } }),
  ],
  ['an operation is open to everybody', ({ paths }) => (paths['/v1/services'].get['x-role'] = 'none')],
  ['an operation takes a lower role', ({ paths }) => (paths['/v1/nodes'].post['x-role'] = 'Viewer')],
  ['a lower role suffices for some requests', ({ paths }) => (paths['/v1/nodes'].post['x-lower-role'] = 'Viewer')],
  ['an operation is open to Registrars', ({ paths }) => (paths['/v1/nodes'].get['x-registrar'] = true)],
  ['an operation admits every kind of caller', ({ paths }) => delete paths['/v1/sessions'].post['x-callers']],
  ['an operation is deprecated', ({ paths }) => (paths['/v1/nodes'].get.deprecated = true)],
  ['the version rises', ({ info }) => (info.version = '2.0.0')],
  ['texts change', (whole, { Node }) => (Node.description = whole.paths['/v1/nodes'].get.summary = 'Other words.')],
  [
    'the headings change',
    ({ tags, paths }) => {
      tags.push({ name: 'Places', description: 'Where.' });
      paths['/v1/nodes'].get.tags = ['Places'];
    },
  ],
  [
    'the order changes',
    (whole, { Node, generic_node }) => {
      for (const list of [Node.oneOf, generic_node.required]) list.reverse();
      whole.paths = Object.fromEntries(Object.entries(whole.paths).reverse());
    },
  ],
  [
    'a schema has another name',
    (whole) => Object.assign(whole, JSON.parse(JSON.stringify(whole).replaceAll(/(?<=[/"])Api_key(?=")/g, 'Key'))),
  ],
];

test('additive changes pass together', async () => {
  expect(await breakages(document, changed(...additive.map(([, change]) => change)))).toEqual([]);
});

describeInFull('a sunset', () => {
  const released = changed(({ paths }) => {
    paths['/v1/services/types'].get['x-sunset'] = '2028-03-01';
    paths['/v1/nodes/{node_id}'].delete['x-sunset'] = '2028-03-01';
  });
  const after = changed(({ paths }) => {
    delete paths['/v1/services/types'];
    delete paths['/v1/nodes/{node_id}'].delete;
  });

  test('that has come lets an operation go', async () => {
    expect(await breakages(released, after, new Date('2028-03-01'))).toEqual([]);
  });

  test('that is to come holds it', async () => {
    expect(await breakages(released, after, new Date('2028-02-29T23:59:59Z'))).toHaveLength(2);
  });

  test('is never earlier than its announcement', async () => {
    const sooner = structuredClone(released);
    sooner.paths['/v1/services/types'].get['x-sunset'] = '2028-02-01';
    expect(await breakages(released, sooner, new Date('2027-04-01'))).toEqual([expect.stringContaining('x-sunset')]);
    expect(await breakages(sooner, released, new Date('2027-04-01'))).toEqual([]);
  });
});

test('documents that cannot be compared are an error', async () => {
  await expect(breakages({ info: { version: '1' }, paths: {} }, document)).rejects.toThrow('cannot be compared');
});

test('an endpoint states `since`, a later version, exactly when it is not in the last release', async () => {
  const { info, paths } = releasedSchema.parse(await releasedDocument());
  const operations = Object.values(paths).flatMap((methods): any[] => Object.values(methods));
  const released = new Set(operations.map(({ operationId }) => operationId));
  const isLater = (since: string) => since.localeCompare(info.version, 'en', { numeric: true }) > 0;
  const wrong = endpoints.filter(({ id, since }) => !released.has(id) && (since === undefined || !isLater(since)));
  expect(wrong.map(({ id }) => id)).toEqual([]);
  expect(endpoints.filter(({ id, since }) => released.has(id) && since !== undefined && isLater(since))).toEqual([]);
  expect(released.size).toBeGreaterThan(40);
});
